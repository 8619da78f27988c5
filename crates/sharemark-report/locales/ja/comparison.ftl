# 計測先どうしの比較。$aと$bは計測先の名前、またはcomparison-of-report。
comparison-heading = 比較
comparison-faster = { $workload }: { $a }は{ $b }の{ $ratio }倍の速さです（{ $evidence }）。
comparison-slower = { $workload }: { $a }は{ $b }より遅く、{ $ratio }倍の速さです（{ $evidence }）。
comparison-same = { $workload }: { $a }と{ $b }に差はありません。違いは{ $margin }以内です（比{ $ratio }、{ $evidence }）。
comparison-inconclusive = { $workload }: { $a }と{ $b }に{ $margin }を超える差があるかは判定できません（比{ $ratio }、{ $evidence }）。
comparison-single = { $workload }: { $a }と{ $b }に{ $margin }を超える差があるかは判定できません。比は{ $ratio }ですが、{ $rounds }では区間が求まりません。

# 答えの根拠。
comparison-evidence = 95%信頼区間{ $interval }、{ $rounds }
comparison-rounds-each = 各{ $n }回以上
comparison-without-first = 1回目を除く{ $rounds }

# 判定するには。
comparison-more = 回数を増やすと判定できることがあります。{ $runs }で区間はおよそ半分になります。`--runs`を使わないときは、`--budget`を長くすると回数が増えます。
comparison-more-single = 1回だけでは区間が求まりません。`--runs 5`で求まります。

# 計測先が3つ以上のときの表。
comparison-column-ratio = 比
comparison-column-interval = 95%信頼区間
comparison-column-rounds = 回数
comparison-column-answer = 判定
comparison-pair = { $a } : { $b }
comparison-answer-faster = { $name }のほうが速い
comparison-answer-same = 差なし
comparison-answer-inconclusive = 判定できない
comparison-without-first-note = * ほかの回から大きく外れた1回目を除く
comparison-others = 1つ目の計測先との比較だけを示しています。ほかの{ $n }組はJSONレポートにあります。

# バイトの通り道が違う2つ。
comparison-unlike-writes = 注意: { $a }と{ $b }では書き込み方が違います（{ $way-a }、{ $way-b }）。
comparison-unlike-reads = 注意: { $a }と{ $b }では読み出し方が違います（{ $way-a }、{ $way-b }）。

# 2つのレポート。
comparison-reports-heading = レポート{ $a }とレポート{ $b }の比較
comparison-of-report = { $report }の{ $label }
comparison-forbidden = 同じものを測っていないため、比較できません:
comparison-forbidden-some = 同じものを測っていないため、一部は比較できません:
comparison-care = 次の違いに注意してください:
comparison-nothing = 比較したものはありません。

# 2つのレポートの違い。$aが1つ目、$bが2つ目。
difference-size = ファイルサイズ: { $a } / { $b }
difference-time-limit = 1フェーズの制限時間: { $a } / { $b }
difference-no-limit = なし
difference-block = ブロック: { $a } / { $b }
difference-depth = 同時に扱うブロック: { $a } / { $b }
difference-durability = 指定した永続性: { $a } / { $b }
difference-read-cache = 読み出しキャッシュ: { $a } / { $b }
difference-data = データ: { $a } / { $b }
difference-mode = { $target }の{ $workload }: { $a } / { $b }
difference-workloads = 計測内容: { $a } / { $b }
difference-targets = 計測先: { $a } / { $b }
difference-unmeasured = { $target }の{ $workload }: 少なくとも一方に完了した計測がない
difference-location = { $target }: 場所が違う（{ $a } / { $b }）
difference-files = 小さいファイルの数: { $a } / { $b }
difference-mix = 小さいファイルのサイズ構成: { $a } / { $b }
difference-settle = 書き込みと読み出しの間: { $a } / { $b }
difference-pause = 各回の間: { $a } / { $b }
difference-connections = 共有への接続のオプションが同じではない
difference-host = コンピューター: { $a } / { $b }
difference-version = sharemarkのバージョン: { $a } / { $b }
