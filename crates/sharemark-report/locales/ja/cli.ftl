# ヘルプ。オプションとコマンドの名前、大文字の値はどの言語でも同じ。
cli-about = ネットワーク共有の実際の速度を測り、その数値の根拠を示します。
cli-about-bare = コマンドなし: 計測できる場所と、入力するコマンドの一覧を表示します。
cli-heading-usage = 使い方
cli-heading-commands = コマンド
cli-heading-arguments = 引数
cli-heading-options = オプション
cli-usage-command = COMMAND
cli-usage-options = OPTIONS
cli-default = 既定値: { $value }

# コマンド。
cli-run = 共有のフォルダーで書き込みと読み出しを数回行い、速度を測る
cli-history = これまでの実行を一覧表示する
cli-show = 以前の実行のレポートをもう一度表示する
cli-clean = 中断した実行が残したものを削除する（sharemarkが作ったもの以外は削除しない）
cli-schema = レポートのJSON Schemaを出力する

# 引数。
cli-argument-target = 計測するフォルダー。システムでの表記で指定（/mnt/nas、W:\、\\nas\share）。LABEL=FOLDERで好きな名前を付けられる
cli-argument-report = レポートの識別子。ほかと区別できれば先頭だけでもよい。省略すると最新のもの
cli-argument-folder = このフォルダーに残ったものだけを対象にする。省略するとすべて

# オプション。
cli-option-workload = 計測の内容と順序。コンマ区切りで、たとえばseq-write,rand-read:4KiB:q32,small-files
cli-option-files = small-filesで使う小さいファイルの数
cli-option-mix = そのサイズの構成: documents（文書）またはphotos（写真）
cli-option-size = 各ファイルのサイズ。1GiBは2^30バイト、1GBは10^9バイト
cli-option-block = 1回の操作のバイト数
cli-option-depth = 同時に実行する操作の数（1〜1024）
cli-option-runs = 計測の回数をこの数に固定する
cli-option-time = ファイルの途中でも、この時間でフェーズを終える。0は無制限
cli-option-pause = 各回の間の待ち時間
cli-option-settle = 書き込みから読み出しまでの待ち時間
cli-option-profile = もとにする計測プラン: quickまたはarticle（1 GiB、5回、間隔は長め）
cli-option-data = ファイルの内容: random（圧縮できない）、zeros、compressible=50（半分がゼロ）
cli-option-durability = 書き込みの完了とみなす時点: write-through（ブロックごとに応答を確認）、flush（最後に1回フラッシュ）、buffered（このコンピューターのキャッシュの速度になる）
cli-option-read-cache = avoidはサーバーから読み出す。allowはこのコンピューターのキャッシュからの応答を許し、その効果を見る
cli-option-stall = この時間、何も進まなければ打ち切る
cli-option-budget = 結果の確度を上げるための追加の計測（6回目以降）を行ってよい、開始からの時間
cli-option-json = レポートをJSONでFILEに書き出す。-は標準出力
cli-option-csv = 計測ごとに1行のCSVをFILEに書き出す。-は標準出力
cli-option-lang = 言語: enまたはja。省略するとシステムの設定に従う
cli-option-history = 実行結果の保存先: ファイル、またはnone
cli-option-quiet = 途中経過を出さず、結果だけを表示する
cli-option-no-colour = 色を使わない（NO_COLORと同じ）
cli-option-limit = 表示する実行の数の上限
cli-option-help = このヘルプを表示する
cli-option-version = バージョンを表示する
