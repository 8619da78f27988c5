# ここで計測できるもの。
listing-network = ネットワーク共有
listing-fuse = プログラムによるマウント（FUSE）: 独自のキャッシュを持つことがあります
listing-disks = このコンピューターのディスク
listing-unknown = その他
listing-no-network-linux = ネットワーク共有がマウントされていません。たとえば`sudo mount -t cifs //nas/Public /mnt/nas -o user=NAME`（SMB）または`sudo mount -t nfs nas:/export /mnt/nas`（NFS）でマウントし、`sharemark run /mnt/nas`と入力してください。
listing-no-network-windows = ネットワーク共有に接続していません。たとえば`net use W: \\nas\Public`で接続して`sharemark run W:\`と入力するか、`sharemark run \\nas\Public`のようにパスを直接指定してください。
listing-no-network-macos = ネットワーク共有がマウントされていません。Finderの「移動」>「サーバへ接続」でたとえばsmb://nas/Publicに接続し、`sharemark run /Volumes/Public`と入力してください。
# Windowsで、管理者として開いたコンソールの場合。
listing-elevated = このコンソールは管理者として実行されているため、割り当てたネットワークドライブが見えません。通常のコンソールを使うか、`sharemark run \\server\share`のようにサーバー名で共有を指定してください。
listing-column-type = 種類
# 共有の場合と、それ以外の場合。
listing-column-share = 共有
listing-column-source = マウント元
listing-column-folder = フォルダー
listing-column-free = 空き容量
listing-column-command = 計測するコマンド
listing-at = { $type }  { $source }（{ $folder }）: { $state }
listing-free-of = { $free } / { $total }
listing-free-unknown = 容量不明
listing-silent = 応答なし
listing-read-only = 読み取り専用
listing-no-permission = アクセス権なし
listing-disconnected = 未接続
listing-hidden = このコンソールからは見えない
listing-run-folder = sharemark run フォルダー

# これまでの実行。
listing-history-empty = 履歴にはまだ何もありません。`sharemark run フォルダー`で最初の計測ができます。
listing-history-id = レポート
listing-history-when = 日時
listing-history-target = 計測先
listing-history-write = 書き込み MB/s
listing-history-read = 読み出し MB/s
listing-history-state = 備考
listing-history-partial = 途中まで
listing-history-unfinished = 未完了
listing-history-hint = `sharemark show { $id }`で、そのレポートをもう一度表示します。
