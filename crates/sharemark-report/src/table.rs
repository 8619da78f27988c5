//! Tables whose columns stay aligned when some of their text is Japanese.

use crate::layout::{columns, pad_left, pad_right};

/// How the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// At the column's left, for text.
    Left,
    /// At the column's right, for counts and ranges.
    Right,
    /// With their decimal points below each other.
    Point,
}

/// A column with its cells.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    header: String,
    align: Align,
    cells: Vec<String>,
}

impl Column {
    pub(crate) fn new(header: String, align: Align, cells: Vec<String>) -> Self {
        let cells = if align == Align::Point { level(cells) } else { cells };
        Self { header, align, cells }
    }

    pub(crate) fn width(&self) -> usize {
        let widest = self.cells.iter().map(|cell| columns(cell)).max().unwrap_or(0);
        widest.max(columns(&self.header))
    }

    fn placed(&self, text: &str) -> String {
        match self.align {
            Align::Left => pad_right(text, self.width()),
            Align::Right | Align::Point => pad_left(text, self.width()),
        }
    }
}

/// Gives every number room for the longest fraction, so that points stand below each other when aligned right.
fn level(cells: Vec<String>) -> Vec<String> {
    let fraction = |cell: &str| cell.find('.').map_or(0, |point| cell.len() - point);
    let longest = cells.iter().map(|cell| fraction(cell)).max().unwrap_or(0);
    cells
        .into_iter()
        .map(|cell| {
            let room = longest - fraction(&cell);
            // A dash stands for no number and has no point to align.
            if cell.starts_with(|c: char| c.is_ascii_digit()) {
                format!("{cell}{}", " ".repeat(room))
            } else {
                cell
            }
        })
        .collect()
}

const GAP: usize = 3;

/// The columns that a table of these columns takes.
pub(crate) fn width(table: &[Column]) -> usize {
    table.iter().map(Column::width).sum::<usize>() + GAP * table.len().saturating_sub(1)
}

/// The table's lines, header first. All are equally wide, but for spaces at the end of a table whose last column is
/// text.
pub(crate) fn lines(table: &[Column]) -> Vec<String> {
    let rows = table.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    let gap = " ".repeat(GAP);
    let line = |cell: &dyn Fn(&Column) -> String| {
        let cells: Vec<String> = table.iter().map(cell).collect();
        cells.join(&gap).trim_end().to_owned()
    };
    let mut lines = vec![line(&|column| column.placed(&column.header))];
    for row in 0..rows {
        lines.push(line(&|column| column.placed(column.cells.get(row).map_or("", String::as_str))));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_below_each_other() {
        let cells = ["9.87", "112.2", "1180", "-"].map(str::to_owned).to_vec();
        let table = [
            Column::new(
                "名前".into(),
                Align::Left,
                vec!["a".into(), "書き込み".into(), "c".into(), "d".into()],
            ),
            Column::new("MB/s".into(), Align::Point, cells),
            Column::new("n".into(), Align::Right, ["5", "10", "1", "0"].map(str::to_owned).to_vec()),
        ];
        let lines = lines(&table);
        assert_eq!(
            lines,
            [
                "名前          MB/s    n",
                "a             9.87    5",
                "書き込み    112.2    10",
                "c          1180       1",
                "d                -    0",
            ]
        );
        assert!(lines.iter().all(|line| columns(line) == width(&table)));
    }
}
