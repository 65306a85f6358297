internal import Vocabulary

/// A place in an archive. Its text is made only for an error, because a reader passes a million places.
struct Spot {
    /// The object's number; nil for the top.
    let id: UInt32?
    let key: String
    var index: Int?

    var text: String {
        let place = id.map { "$objects[\($0)]" } ?? "$top"
        let element = index.map { "[\($0)]" } ?? ""
        return "\(place).\(PrintableText(key, limit: 80))\(element)"
    }
}
