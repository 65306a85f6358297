/// One line of ``PathPatterns``. It follows a path from name to name, as ``NamePattern`` follows a name.
struct PathPattern: Hashable, Sendable {
    /// The largest number of names, which is limited by the bits.
    private static let maximumCount = 127

    let isTakingBack: Bool
    let isForFolders: Bool
    private var names: [NamePattern] = []
    /// The places before which any number of folders matches.
    private var folders: UInt128 = 0

    /// Parses a line; nil if it is empty or a comment.
    init?(_ line: String) throws(PathPatterns.Defect) {
        guard line.utf8.count <= PathPatterns.maximumByteCount else { throw .tooLong }
        guard !line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter
        }
        var rest = Self.withoutSpacesAtItsEnd(line)
        guard let first = rest.first, first != "#" else { return nil }
        isTakingBack = first == "!"
        if isTakingBack { rest.removeFirst() }
        isForFolders = rest.last == "/" && rest.dropLast().last != "\\"
        if isForFolders { rest.removeLast() }
        let isTied = rest.contains("/")
        if rest.first == "/" { rest.removeFirst() }
        if !isTied { folders = 1 }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= Self.maximumCount else { throw .tooLong }
        for (place, part) in parts.enumerated() {
            guard !part.isEmpty else { throw .nothing }
            let isFolders = part.elementsEqual("**".unicodeScalars)
            if isFolders { folders |= 1 << UInt128(names.count) }
            // At the end, `**` matches everything in the folder, not the folder itself.
            if !isFolders || place == parts.count - 1 { names.append(try NamePattern(part)) }
        }
    }

    /// The state before the first name.
    static let beginning: UInt128 = 1

    /// Returns the state after one more name.
    func places(after places: UInt128, _ name: Substring) -> UInt128 {
        var fitting: UInt128 = 0
        for (place, pattern) in names.enumerated() where places & 1 << UInt128(place) != 0 && pattern.matches(name) {
            fitting |= 1 << UInt128(place)
        }
        return fitting << 1 | places & folders
    }

    /// True if the pattern matches the whole path.
    func isFit(_ places: UInt128) -> Bool { places & 1 << UInt128(names.count) != 0 }

    private static func withoutSpacesAtItsEnd(_ line: String) -> Substring.UnicodeScalarView {
        var rest = Substring(line).unicodeScalars
        while rest.last == " " {
            let before = rest.dropLast()
            if before.last == "\\" { break }
            rest = before
        }
        return rest
    }
}
