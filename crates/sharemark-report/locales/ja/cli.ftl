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
cli-target = 共有やフォルダーに名前を付けて保存し、アドレスの代わりに使う
cli-target-add = 場所に名前を付けて保存する
cli-target-list = 保存した名前を一覧表示する
cli-target-remove = 保存した名前と、キーリングにあるそのパスワードを削除する
cli-compare = 以前の2つの実行、または1つの実行の計測先どうしを比較する
cli-clean = 中断した実行が残したものを削除する（sharemarkが作ったもの以外は削除しない）
cli-schema = レポートのJSON Schemaを出力する

# 引数。
cli-argument-target = 計測するフォルダー（/mnt/nas、W:\、\\nas\share）、共有のアドレス（smb://nas/share）、または保存した名前。LABEL=...で好きな名前を付けられる
cli-argument-first-report = レポートの識別子。ほかと区別できれば先頭だけでもよい
cli-argument-other-report = 比べる相手のレポート。省略すると、1つ目のレポートの計測先どうしを比較する
cli-argument-report = レポートの識別子。ほかと区別できれば先頭だけでもよい。省略すると最新のもの
cli-argument-folder = このフォルダーまたは共有に残ったものだけを対象にする。省略するとすべて
cli-argument-name = 名前（文字、数字、-、_）
cli-argument-location = 共有のアドレス（smb://nas/share、パスワードなし）またはフォルダー

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
cli-option-profile = もとにする計測プラン: quick、article、crystal、photos、documents、video-edit、backup
cli-option-data = ファイルの内容: random（圧縮できない）、zeros、compressible=50（半分がゼロ）
cli-option-durability = 書き込みの完了とみなす時点: write-through（ブロックごとに応答を確認）、flush（最後に1回フラッシュ）、buffered（このコンピューターのキャッシュの速度になる）
cli-option-read-cache = avoidはサーバーから読み出す。allowはこのコンピューターのキャッシュからの応答を許し、その効果を見る
cli-option-stall = この時間、何も進まなければ打ち切る
cli-option-budget = 結果の確度を上げるための追加の計測（6回目以降）を行ってよい、開始からの時間
cli-option-baseline = 計測後にこのレポートと比較する。今回の方が遅ければ終了コード4で終わる
cli-option-compare-json = 比較結果をJSONでFILEに書き出す。-は標準出力
cli-option-json = レポートをJSONでFILEに書き出す。-は標準出力
cli-option-csv = 計測ごとに1行のCSVをFILEに書き出す。-は標準出力
cli-option-lang = 言語: enまたはja。省略するとシステムの設定に従う
cli-option-history = 実行結果の保存先: ファイル、またはnone
cli-option-quiet = 途中経過を出さず、結果だけを表示する
cli-option-no-colour = 色を使わない（NO_COLORと同じ）
cli-option-limit = 表示する実行の数の上限
cli-option-help = このヘルプを表示する
cli-option-version = バージョンを表示する

# ログインと共有への接続。
cli-option-user = アドレスにユーザー名がない場合にNAMEまたはDOMAIN\NAMEでログインする。パスワードがなければ尋ねる
cli-option-credentials = ユーザー名、パスワード、ドメインをFILEから読む（mount.cifsやsmbclientと同じ形式）。本人だけが読める設定が必要
cli-option-ask-password = ほかの方法で指定されていても、パスワードを必ず尋ねる
cli-option-guest = ログインしない（SMBはゲスト、WebDAVはユーザーなし）
cli-option-key = SFTPの秘密鍵
cli-option-known-hosts = SFTPの既知のホスト鍵のファイル。自分のknown_hostsの代わりに使う
cli-option-ca-file = WebDAVでシステムのものに加えて信頼する証明書（PEM）
cli-option-connections = 並行して使う接続の数（1〜64）
cli-option-smb-dialect = このバージョンのSMBだけを使う: 2.0.2、2.1、3.0、3.0.2、3.1.1
cli-option-smb-signing = SMBの署名をするかどうか。省略するとサーバーに従う
cli-option-save-password = パスワードを一度だけ尋ね、システムのキーリングに保存する。パイプで渡した場合は標準入力から読む
cli-option-force = 同じ名前の計測先があれば置き換える
