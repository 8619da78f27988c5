# デモ。
cli-demo = 動作を見る: このプログラムのメモリーにある小さなサーバーを、2本の擬似的な回線を通して計測する（30秒ほど）
cli-demo-says =
    これはデモです。このプログラムのメモリーに1つの保存先を置き、それを2本の擬似的な回線を通して計測します。
    { $fast }は{ $fast-rate } Mbit/s（往復{ $fast-time } ms以上）、{ $slow }は{ $slow-rate } Mbit/s（往復{ $slow-time } ms以上）です。
    通信はこのコンピューターの外には出ません。結果は履歴に残しません。
cli-demo-failed = デモを開始できませんでした: { $system }
