/// A format for files of values.
public enum ArchiveFormat: Hashable, Sendable {
    /// The two spellings of a property list.
    public enum Spelling: Hashable, Sendable {
        case binary, xml
    }

    /// Apple's binary property list, version 00.
    case binaryPropertyList
    /// A property list as XML.
    case xmlPropertyList
    /// Objects of classes in a property list, as `NSKeyedArchiver` writes them.
    case keyedArchive(Spelling)
    /// RFC 8259.
    case json
    /// Any other XML.
    case xml

    /// The name that users type.
    public var name: String {
        switch self {
        case .binaryPropertyList: "binary-plist"
        case .xmlPropertyList: "xml-plist"
        case .keyedArchive(.binary): "keyed"
        case .keyedArchive(.xml): "keyed-xml"
        case .json: "json"
        case .xml: "xml"
        }
    }

    /// The name in a sentence.
    public var words: String {
        switch self {
        case .binaryPropertyList: "a binary property list"
        case .xmlPropertyList: "a property list in XML"
        case .keyedArchive(.binary): "a keyed archive"
        case .keyedArchive(.xml): "a keyed archive in XML"
        case .json: "JSON"
        case .xml: "XML"
        }
    }
}

extension ArchiveFormat: CaseIterable {
    /// Every format.
    public static let allCases: [ArchiveFormat] = [
        .binaryPropertyList, .xmlPropertyList, .keyedArchive(.binary), .keyedArchive(.xml), .json, .xml,
    ]

    /// Nil for a name that no format has.
    public init?(name: String) {
        guard let format = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = format
    }
}
