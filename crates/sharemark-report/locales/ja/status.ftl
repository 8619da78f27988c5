# 動作中と終了時の表示。
cli-status-settle = 読み出しの前に待機中、残り{ $time }
cli-status-pause = 次の回の前に待機中、残り{ $time }
cli-status-cleaning = この実行のファイルを削除しています
cli-status-saved = レポートを { $path } に書き出しました。

cli-interrupt = 実行中の操作が終わったら停止します。すぐに停止するには、もう一度Ctrl-Cを押してください。
cli-interrupt-again = すぐに停止しました。残ったものは`sharemark clean`で削除できます。

cli-earlier-run =
    { $count ->
        [1] 以前の実行のファイルが { $places } に残っています。`sharemark clean`で削除できます。
       *[other] 以前の{ $count }回の実行のファイルが { $places } に残っています。`sharemark clean`で削除できます。
    }

cli-clean-removed = { $place } を削除しました。
cli-clean-remains = { $place } が残っています: { $reason }。
cli-clean-nothing = 削除するものはありません。
cli-clean-nothing-at = { $place } に削除するものはありません。
cli-clean-running = { $place } は対象外としました: その実行はまだ続いています。

cli-compare-nothing = 比較するものがありません。2つの計測先の計測がそろって完了した回がありません。
cli-baseline-unlike = 基準のレポート{ $id }は計測先または設定が違うため、今回の結果の全部または一部は比較されません。計測方法は`sharemark show { $id }`で確認できます。
