import CLinux
import Glibc
import TestSupport

/// Generator of trees with all kinds of entries.
struct RandomTree {
    private var dice: SeededGenerator
    private var budget = 60

    /// Names with spaces, dots, dashes, newer letters, two forms of é, quotes, 255 bytes.
    private static let names = [
        "a", "a b", "a-b", "a.b", ".hidden", "-rf", "~", "…", "é", "e\u{301}", "'", "\"", "\\", "*", "日本", "👩‍👩‍👧", "..a",
        "a..",
        String(repeating: "n", count: 255), "%s%n", "con", "x:y", "#", "\u{202E}x", " ", "Z", "zz", "~.partial",
    ]

    init(seed: UInt64) {
        dice = SeededGenerator(seed: seed)
    }

    mutating func make(at path: String) throws {
        mkdir(path, 0o755)
        fill(path, depth: 0)
        stamp(path, isLink: false)
    }

    private mutating func fill(_ path: String, depth: Int) {
        for name in Self.names.shuffled(using: &dice).prefix(Int.random(in: 0...8, using: &dice)) where budget > 0 {
            budget -= 1
            let inner = "\(path)/\(name)"
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<3 where inner.utf8.count < 3_500:
                mkdir(inner, 0o755)
                fill(inner, depth: depth + 1)
                chmod(inner, [0o755, 0o700, 0o777, 0o500].randomElement(using: &dice) ?? 0o755)
                stamp(inner, isLink: false)
            case 3:
                let up = String(repeating: "../", count: Int.random(in: 0...depth, using: &dice))
                symlink("\(up)\(Self.names.randomElement(using: &dice) ?? "a")/x", inner)
                stamp(inner, isLink: true)
            default:
                makeFile(inner)
                stamp(inner, isLink: false)
            }
        }
    }

    private mutating func makeFile(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        for _ in 0..<Int.random(in: 0...3, using: &dice) {
            let count = [1, 100, 4096, 70_000, 300_000].randomElement(using: &dice) ?? 1
            if Bool.random(using: &dice) {
                lseek(file, off_t(count), SEEK_CUR)
            } else {
                let byte = UInt8.random(in: 0...255, using: &dice)
                write(file, [UInt8](repeating: byte, count: count), count)
            }
        }
        ftruncate(file, lseek(file, 0, SEEK_CUR))
        fchmod(
            file,
            [0o644, 0o600, 0o755, 0o400, 0o4755, 0o666].randomElement(using: &dice).map { $0 & 0o777 } ?? 0o644
        )
    }

    private mutating func stamp(_ path: String, isLink: Bool) {
        let seconds = [Int.random(in: 0...2_000_000_000, using: &dice), -5].randomElement(using: &dice) ?? 0
        let times = [
            timespec(tv_sec: seconds, tv_nsec: 0),
            timespec(tv_sec: seconds, tv_nsec: Int.random(in: 0..<1_000_000_000, using: &dice)),
        ]
        utimensat(AT_FDCWD, path, times, isLink ? AT_SYMLINK_NOFOLLOW : 0)
    }
}
