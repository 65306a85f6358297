import Database

/// The form of high scores in a database.
enum ScoreTable: CaseIterable, Sendable {
    /// `hiscores(name, score)`.
    case plain
    /// Core Data's table for an entity `HiScore` with `name` and `score`, among its own tables.
    case coreData

    var name: String {
        switch self {
        case .plain: "hiscores"
        case .coreData: "ZHISCORE"
        }
    }

    /// The columns in capitals.
    var columns: Set<String> {
        switch self {
        case .plain: ["NAME", "SCORE"]
        case .coreData: ["ZNAME", "ZSCORE", "Z_PK", "Z_ENT", "Z_OPT"]
        }
    }

    var all: StaticString {
        switch self {
        case .plain: "SELECT name AS name, score AS score FROM hiscores"
        case .coreData: "SELECT ZNAME AS name, ZSCORE AS score FROM ZHISCORE ORDER BY Z_PK"
        }
    }

    /// The same with the number of each row.
    var allWithKeys: StaticString {
        switch self {
        case .plain: "SELECT rowid AS key, name AS name, score AS score FROM hiscores"
        case .coreData: "SELECT Z_PK AS key, ZNAME AS name, ZSCORE AS score FROM ZHISCORE ORDER BY Z_PK"
        }
    }

    /// Parameters: the name, the score, the number of the row.
    var change: StaticString {
        switch self {
        case .plain: "UPDATE hiscores SET name = ?, score = ? WHERE rowid = ?"
        case .coreData: "UPDATE ZHISCORE SET ZNAME = ?, ZSCORE = ?, Z_OPT = coalesce(Z_OPT, 0) + 1 WHERE Z_PK = ?"
        }
    }

    /// The scores of a name.
    var ofName: StaticString {
        switch self {
        case .plain: "SELECT score AS score FROM hiscores WHERE name = ?"
        case .coreData: "SELECT ZSCORE AS score FROM ZHISCORE WHERE ZNAME = ?"
        }
    }

    /// The score of any one row.
    var first: StaticString {
        switch self {
        case .plain: "SELECT score AS score FROM hiscores LIMIT 1"
        case .coreData: "SELECT ZSCORE AS score FROM ZHISCORE LIMIT 1"
        }
    }

    /// Parameters: the new score, the name, the former best score of the name.
    var improve: StaticString {
        switch self {
        case .plain: "UPDATE hiscores SET score = ? WHERE name = ? AND score = ?"
        case .coreData:
            // Core Data detects by this count that another program has changed the row.
            "UPDATE ZHISCORE SET ZSCORE = ?, Z_OPT = coalesce(Z_OPT, 0) + 1 WHERE ZNAME = ? AND ZSCORE = ?"
        }
    }
}
