internal import Vocabulary

/// A place in an archive. It becomes words only when something is wrong there, for a million places are passed where nothing is.
struct Spot {
    /// The object's number, or nil for the top.
    let id: UInt32?
    let key: String
    var index: Int?

    var text: String {
        let place = id.map { "$objects[\($0)]" } ?? "$top"
        let element = index.map { "[\($0)]" } ?? ""
        return "\(place).\(PrintableText(key, limit: 80))\(element)"
    }
}
