# 数量。数値は整形済みで渡される。
unit-milliseconds = { $n }ミリ秒
unit-seconds = { $n }秒
unit-minutes = { $n }分
unit-minutes-seconds = { $minutes }分{ $seconds }秒
unit-hours = { $n }時間
unit-hours-minutes = { $hours }時間{ $minutes }分
unit-rate = { $value } MB/s
unit-percent = { $n }%
# 区間の両端（小さい方が先）。
unit-range = { $low }〜{ $high }
unit-rounds = { $n }回
# 文中の列挙の区切り。
unit-comma = { $before }、{ $after }

# 計測内容を表すふつうの言葉。
workload-seq-write = 書き込み
workload-seq-read = 読み出し
workload-rand-read = ランダム読み出し
workload-rand-write = ランダム書き込み
workload-mixed = 混合（読み出し{ $reads } %）
workload-files-write = 小さいファイルの書き込み
workload-files-list = 小さいファイルの一覧取得
workload-files-stat = 小さいファイルの情報取得
workload-files-read = 小さいファイルの読み出し
workload-files-delete = 小さいファイルの削除
workload-shape = { $name }（{ $block }、同時{ $depth }）
workload-depth = { $name }（同時{ $depth }）
unit-operations = { $value }件/秒
