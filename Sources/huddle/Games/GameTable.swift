import Games
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// The list of games in columns that fit a terminal.
struct GameTable {
    let text: String

    private static let longestName = 20
    private static let shortestTitle = 8
    private static let gap = "  "

    init(_ games: [FoundGame], _ shared: SharedFolders?, width: Int, now: FileTime = .now) {
        var rows = [["NAME", "TITLE", "FROM", "FILES", "SIZE", "LAST SAVE"] + (shared == nil ? [] : ["SHARED"])]
        rows += games.map { game in
            let tally = game.tally
            let isEmpty = tally.files == 0
            let columns = [
                game.id, "\(PrintableText(game.title, limit: 200))", game.launchers.first?.short ?? "",
                "\(tally.files)\(tally.isCut ? "+" : "")",
                isEmpty ? "" : ByteCount(UInt64(clamping: tally.bytes)).rounded,
                Self.age(tally.lastSave, at: now) ?? (isEmpty ? "none yet" : ""),
            ]
            return columns + (shared.map { [$0.name(of: game) == nil ? "no" : "yes"] } ?? [])
        }
        var widths = rows[0].indices.map { column in rows.map { ColumnText($0[column]).width }.max() ?? 0 }
        widths[0] = min(widths[0], Self.longestName)
        let others = widths.enumerated().filter { $0.offset != 1 }.map(\.element).reduce(0, +)
        let room = width - others - Self.gap.count * (widths.count - 1)
        widths[1] = min(widths[1], max(room, Self.shortestTitle))
        text = rows.map { Self.line($0, widths) }.joined(separator: "\n")
    }

    private static func line(_ columns: [String], _ widths: [Int]) -> String {
        let cells = zip(columns, widths).enumerated().map { place, cell in
            // Numbers are aligned at their last digit.
            ColumnText(cell.0).fitted(to: cell.1, fromTheRight: place == 3 || place == 4)
        }
        let line = cells.joined(separator: gap)
        return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.endIndex)])
    }

    /// Returns the age of a time, in at most eleven characters.
    static func age(_ time: FileTime?, at now: FileTime) -> String? {
        guard let time else { return nil }
        let seconds = max(0, now.seconds - time.seconds)
        switch seconds {
        case ..<90: return "just now"
        case ..<5400: return "\((seconds + 30) / 60) min ago"
        case ..<129_600: return "\((seconds + 1800) / 3600) h ago"
        case ..<5_184_000: return "\((seconds + 43_200) / 86_400) days ago"
        default: return String(TimeText.local(WallTime(secondsSince1970: time.seconds)).prefix(10))
        }
    }
}

extension Launcher {
    /// The name of the launcher for a narrow column.
    fileprivate var short: String {
        switch self {
        case .steam, .steamFlatpak: "Steam"
        case .heroic, .heroicFlatpak: "Heroic"
        case .lutris, .lutrisFlatpak: "Lutris"
        case .bottles, .bottlesFlatpak: "Bottles"
        case .flatpak, .emulator, .emudeck, .retrodeck, .folder: label
        }
    }
}
