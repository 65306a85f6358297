extension BridgedName {
    /// The reason why a name is left out of the sync with devices. It stays where it is on both sides.
    package enum Omission: Hashable, Sendable {
        /// Files of Syncthing itself: settings, versions that it keeps, temporary files.
        case syncthings
        /// A copy that Syncthing made of the side that lost a conflict.
        case conflictCopy
        /// Not in the form in which all systems write letters with accents.
        case notNormalized
        /// Windows can have no such name.
        case forbidden
        /// Another name differs only in capital and small letters.
        case sameLetters
    }

    /// The omission of one name by itself; nil if it can be synced.
    package static func omission(of name: String) -> Omission? {
        let parts = name.split(separator: "/")
        if parts.contains(where: isSyncthings) { return .syncthings }
        if parts.contains(where: isConflictCopy) { return .conflictCopy }
        if !isSurelyNormalized(name) { return .notNormalized }
        return parts.contains(where: isForbidden) ? .forbidden : nil
    }

    /// The names of one version that can be synced, and the others with their reasons. Of several names that differ
    /// only in capital and small letters, the first in the order of bytes is synced.
    package static func sorted(
        _ names: some Sequence<String>
    ) -> (synced: Set<String>, omitted: [String: Omission]) {
        var (synced, omitted, letters) = (Set<String>(), [String: Omission](), Set<String>())
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            if let omission = omission(of: name) ?? folders(above: name).lazy.compactMap({ omitted[$0] }).first {
                omitted[name] = omission
            } else if letters.insert(name.lowercased()).inserted {
                synced.insert(name)
            } else {
                omitted[name] = .sameLetters
            }
        }
        return (synced, omitted)
    }

    /// The folders above a name. If a folder is left out, its content is left out, too.
    private static func folders(above name: String) -> [String] {
        name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: "/") }.map { String(name[..<$0]) }
    }

    private static func isSyncthings(_ part: Substring) -> Bool {
        [".stfolder", ".stignore", ".stversions"].contains(part)
            || part.hasPrefix("~syncthing~")
            || part.hasPrefix(".syncthing.") && part.hasSuffix(".tmp")
    }

    /// A form such as `one.sync-conflict-20261125-072311-Q55LYB2.sav`.
    private static func isConflictCopy(_ part: Substring) -> Bool {
        var rest = part[...]
        let mark = ".sync-conflict-"
        while let start = rest.firstIndex(of: ".") {
            let found = rest[start...]
            if found.hasPrefix(mark) {
                let fields = found.dropFirst(mark.count).prefix { $0 != "." }.split(separator: "-")
                return fields.map(\.count) == [8, 6, 7] && fields[0].allSatisfy(\.isNumber)
            }
            rest = found.dropFirst()
        }
        return false
    }

    private static func isForbidden(_ part: Substring) -> Bool {
        let base = part.prefix { $0 != "." }.uppercased()
        return part.unicodeScalars.contains { $0.value < 0x20 || #"<>:"|?*\"#.unicodeScalars.contains($0) }
            || part.hasSuffix(".") || part.hasSuffix(" ")
            || reserved.contains(base)
    }

    private static let reserved: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] }
    )

    /// True for a name that is surely in Unicode's form NFC, by its quick check. The few NFC names for which the check
    /// has no answer count as others: a wrong yes would let Syncthing rename the file.
    private static func isSurelyNormalized(_ name: String) -> Bool {
        var last: UInt8 = 0
        for scalar in name.unicodeScalars where scalar.value >= 0x300 {
            let order = scalar.properties.canonicalCombiningClass.rawValue
            guard !scalar.properties.isFullCompositionExclusion, order == 0 || order >= last,
                !composing.contains(where: { $0.contains(scalar.value) })
            else { return false }
            last = order
        }
        return true
    }

    /// Letters that may become one with the letter before (NFC_Quick_Check=Maybe).
    private static let composing: [ClosedRange<UInt32>] = [
        0x0300...0x0304, 0x0306...0x030C, 0x030F...0x030F, 0x0311...0x0311, 0x0313...0x0314, 0x031B...0x031B,
        0x0323...0x0328, 0x032D...0x032E, 0x0330...0x0331, 0x0338...0x0338, 0x0342...0x0342, 0x0345...0x0345,
        0x0653...0x0655, 0x093C...0x093C, 0x09BE...0x09BE, 0x09D7...0x09D7, 0x0B3E...0x0B3E, 0x0B56...0x0B57,
        0x0BBE...0x0BBE, 0x0BD7...0x0BD7, 0x0C56...0x0C56, 0x0CC2...0x0CC2, 0x0CD5...0x0CD6, 0x0D3E...0x0D3E,
        0x0D57...0x0D57, 0x0DCA...0x0DCA, 0x0DCF...0x0DCF, 0x0DDF...0x0DDF, 0x102E...0x102E, 0x1161...0x1175,
        0x11A8...0x11C2, 0x1B35...0x1B35, 0x3099...0x309A, 0x11000...0x11FFF, 0x16121...0x16129, 0x16D67...0x16D67,
    ]
}
