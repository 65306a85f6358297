import SecureArchive
import Vocabulary

/// The list of wrappers in the settings of one game of Heroic: programs that start the game, the first one outermost.
struct HeroicWrapper {
    private static let key = "wrapperOptions"

    private let bytes: [UInt8]
    private let app: String
    private let spans: JSONSpans

    /// Reads the settings; nil if the file has no settings of this game.
    init?(_ bytes: [UInt8], of app: String) {
        guard let settings = try? JSON.read(bytes), case .dictionary? = settings[app] else { return nil }
        (self.bytes, self.app, spans) = (bytes, app, JSONSpans(bytes))
    }

    /// The game that `huddle play` starts; nil without `huddle play`.
    var playedGame: String? { own.flatMap { Self.game(bytes[$0.element]) } }

    /// The settings with `huddle play` before all other wrappers, or without it; nil if their form is unknown.
    ///
    /// - Parameters:
    ///   - game: the name of the shared game; nil removes `huddle play`
    ///   - program: the path of `huddle`
    func playing(_ game: String?, by program: String) -> [UInt8]? {
        guard let plain = withoutHuddle else { return nil }
        guard let game else { return plain }
        guard let rest = HeroicWrapper(plain, of: app) else { return nil }
        let arguments = "play \(ShellWord(game)) --from-launcher --"
        let element = #"{"exe":\#(Self.text(program)),"args":\#(Self.text(arguments))}"#
        var made = plain
        if let array = rest.spans.value(at: [app, Self.key]) {
            guard plain[array.lowerBound] == UInt8(ascii: "[") else { return nil }
            let isEmpty = rest.spans.elements(of: array).isEmpty
            made.insert(contentsOf: Array((element + (isEmpty ? "" : ",")).utf8), at: array.lowerBound + 1)
        } else {
            guard let object = rest.spans.value(at: [app]) else { return nil }
            let isEmpty =
                plain[object].dropFirst().first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "}")
            let text = "\"\(Self.key)\":[\(element)]" + (isEmpty ? "" : ",")
            made.insert(contentsOf: Array(text.utf8), at: object.lowerBound + 1)
        }
        return HeroicWrapper(made, of: app)?.playedGame == game ? made : nil
    }

    private var withoutHuddle: [UInt8]? {
        guard let own else { return bytes }
        var (rest, range) = (bytes, own.element)
        // If only Huddle's entry needed the key, the key is removed with it.
        let start = Array("\"\(Self.key)\":[".utf8)
        if own.isAlone, bytes[..<range.lowerBound].suffix(start.count).elementsEqual(start),
            range.upperBound < bytes.count, bytes[range.upperBound] == UInt8(ascii: "]")
        {
            range = (range.lowerBound - start.count)..<(range.upperBound + 1)
        }
        if range.upperBound < bytes.count, bytes[range.upperBound] == UInt8(ascii: ",") {
            range = range.lowerBound..<(range.upperBound + 1)
        } else if let comma = bytes[..<range.lowerBound].lastIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            bytes[comma] == UInt8(ascii: ",")
        {
            range = comma..<range.upperBound
        }
        rest.removeSubrange(range)
        // There may be a second entry that the user wrote.
        guard let left = HeroicWrapper(rest, of: app) else { return nil }
        return left.withoutHuddle
    }

    private var own: (element: Range<Int>, isAlone: Bool)? {
        guard let array = spans.value(at: [app, Self.key]), bytes[array.lowerBound] == UInt8(ascii: "[") else {
            return nil
        }
        let elements = spans.elements(of: array)
        return elements.first { Self.game(bytes[$0]) != nil }.map { ($0, elements.count == 1) }
    }

    private static func game(_ element: ArraySlice<UInt8>) -> String? {
        guard let wrapper = try? JSON.read(Array(element)), let program = wrapper.string("exe") else { return nil }
        return LaunchLine("\(program.lastName ?? program) \(wrapper.string("args") ?? "") ").playedGame
    }

    private static func text(_ text: String) -> String {
        let escaped = text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
        return "\"\(escaped)\""
    }
}
