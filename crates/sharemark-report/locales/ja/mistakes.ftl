# 誤った使い方。どのメッセージも`cli-error`か`cli-hint`に入れて表示する。
cli-error = エラー: { $text }
cli-warning = 警告: { $text }
cli-hint = ヒント: { $text }
cli-error-help = `{ $command }`でオプションの説明を表示します。

cli-error-invalid-value = { $option }の値`{ $value }`は使えません: { $reason }
cli-error-choice = { $choices }のいずれかを指定してください
cli-error-not-a-count = 整数を指定してください
cli-error-missing-value = { $option }には値が必要です。
cli-error-unexpected-value = { $option }は値を取りませんが、`{ $value }`が指定されました。
cli-error-repeated-option = { $option }が2回以上指定されています。
cli-error-unknown-option = `{ $option }`というオプションはありません。
cli-error-unknown-option-similar = `{ $option }`というオプションはありません。`{ $similar }`ではありませんか？
cli-error-unknown-command = `{ $command }`というコマンドはありません。
cli-error-unknown-command-similar = `{ $command }`というコマンドはありません。`{ $similar }`ではありませんか？
cli-error-unknown-command-folder = `{ $command }`というコマンドはありません。そのフォルダーを計測するには`{ $suggestion }`と入力してください。
cli-error-unexpected-argument = 引数`{ $argument }`は余分です。
cli-error-missing-target = 計測するフォルダーを指定してください（例: `sharemark run /mnt/nas`）。引数なしの`sharemark`で、計測できる場所の一覧が出ます。
cli-error-conflict = { $first }と{ $second }は同時に指定できません。
cli-error-both-stdout = `--json -`と`--csv -`を両方とも標準出力にはできません。どちらかはファイルを指定してください。
cli-error-duplicate-label = `{ $label }`という名前の計測先が2つあります。`lan=/mnt/nas`のように、それぞれ別の名前を付けてください。
cli-error-not-unicode = `{ $argument }`は正しいUnicodeではありません。

# サイズと時間。コロンの後に続く。
cli-unit-empty = 値が空です
cli-unit-not-a-number = `{ $text }`は数字で始まっていません
cli-unit-unknown = `{ $text }`は知らない単位です。サイズはB、kB、MB、GB、KiB、MiB、GiB、時間はms、s、m、hで指定してください
cli-unit-ambiguous = `{ $text }`は2通りのサイズに読めます。MiB（2^20バイト）やMB（10^6バイト）のように指定してください
cli-unit-too-large = `{ $text }`は大きすぎます
cli-unit-not-whole = `{ $text }`は整数のバイト数になりません

# 計測先とデータ。コロンの後に続く。
cli-location-empty = 値が空です
cli-location-unknown-scheme = { $scheme }://は共有のプロトコルではありません。このバージョンが計測するのはフォルダーです
cli-location-nul = NUL文字が含まれています。どのシステムでもパスに使えません
cli-data-kind = `{ $text }`は使えません。random、zeros、compressible=1からcompressible=99までのいずれかを指定してください

# 成り立たない計測プラン。
cli-error-block-larger = ブロック{ $block }がファイルサイズ{ $size }より大きくなっています。`{ $suggestion }`としてください。
cli-error-zero-size = 0バイトのファイルでは計測できません。`--size`は1ブロック以上にしてください。
cli-error-zero-block = 0バイトのブロックでは転送できません。`--block 1MiB`のように指定してください。
cli-error-depth = 同時実行数は1から1024までです（指定された値: { $value }）。
cli-error-zero-runs = 0回では計測できません。`--runs`は1以上にしてください。
cli-error-zero-stall = 制限時間が0では、すべての実行がすぐに打ち切られます。`--stall 30s`のように指定してください。

# 結果と履歴。
cli-error-output = { $path } に書き込めませんでした: { $system }
cli-error-no-such-report = 履歴にレポート`{ $id }`はありません。`sharemark history`で一覧を表示します。
cli-error-ambiguous-report = `{ $id }`で始まるレポートが複数あります: { $matches }。続きも入力してください。
cli-error-no-reports = 履歴にはまだレポートがありません。`sharemark run フォルダー`で最初の計測ができます。
cli-error-missing-report = 比較するレポートの識別子を1つか2つ指定してください。`sharemark history`で一覧を表示します。
cli-error-compare-single = レポート`{ $id }`の計測先は1つだけで、比べる相手がありません。`sharemark compare { $id } ID`のように、もう1つのレポートも指定してください。
cli-error-report-damaged = レポート`{ $id }`を読み取れません: { $system }
cli-history-unavailable = 履歴なしで続けます。{ $text }
cli-error-no-data-dir = このシステムでは、プログラムのデータを置くフォルダーが分かりません。環境変数 SHAREMARK_DATA_DIR に、sharemark が使ってよいフォルダーを設定してください。
cli-history-url = このバージョンの履歴はファイルにのみ保存できます
cli-error-memory = { $block }のブロックを同時に{ $depth }個使うには{ $needed }のメモリーが必要です。{ $limit }を超える指定はできません。`--block`か`--depth`を小さくしてください。
cli-error-same-file = `--json`と`--csv`を同じファイル{ $path }に書き出すことはできません。
cli-address-malformed = 共有のアドレスとして読めません（例: smb://server/share）。パスワードの@と/は%40と%2F、パスワードを書いたときはパスの@も%40と書いてください
cli-address-fragment = アドレスの中の#は%23と書いてください
cli-address-no-host = サーバー名がありません
cli-address-path = パスに名前として使えない部分があります
cli-workload = `{ $text }`は計測内容として読めません。seq-write、seq-read、rand-read、rand-write、mixed、small-filesのどれかに、rand-read:4KiB:q32のようにブロックと同時数を続けます。seq-writeとseq-readの同時数はブロックと一緒に、small-filesは同時数だけを指定します。
cli-workload-twice = { $text }が2回指定されています
cli-error-files = `--files`は1から{ $limit }までです
cli-error-workload-block = { $workload }のブロックがファイルサイズ{ $size }より大きくなっています。--sizeを大きくするか、--workloadのブロックを小さくしてください。
