/// The outermost dictionary of a keyed archive: `$version`, `$archiver`, `$top`, `$objects` and nothing else.
struct KeyedEnvelope {
    static let version: ArchiveInteger = 100_000
    static let archiver = "NSKeyedArchiver"

    let top: ArchiveFields
    let objects: [ArchiveValue]

    init(_ propertyList: ArchiveValue) throws(ArchiveError) {
        guard case .dictionary(let fields) = propertyList else {
            throw ArchiveError(.damaged, "a keyed archive is a dictionary, and this is none")
        }
        guard fields["$archiver"] == .string(Self.archiver) else {
            throw ArchiveError(.damaged, "it is not “\(Self.archiver)”", at: "$archiver")
        }
        guard fields["$version"] == .integer(Self.version) else {
            throw ArchiveError(.damaged, "it is not \(Self.version)", at: "$version")
        }
        guard case .dictionary(let top) = fields["$top"], !top.isEmpty else {
            throw ArchiveError(.damaged, "the archive has no top", at: "$top")
        }
        guard case .array(let objects) = fields["$objects"], objects.first == .string("$null") else {
            throw ArchiveError(.damaged, "it is no list of objects that begins with “$null”", at: "$objects")
        }
        guard objects.count < Int(UInt32.max) else {
            throw ArchiveError(.tooLarge, "there are more objects than can be numbered", at: "$objects")
        }
        guard fields.count == 4 else {
            throw ArchiveError(.damaged, "a keyed archive has four keys, and this one has \(fields.count)")
        }
        self.top = top
        self.objects = objects
    }
}
