import SecureArchive
import Vocabulary

/// The way to a value in a tree: `people[0].height`.
///
/// Keys that could be mistaken for something else stand in quotes (`people["first name"]`), a negative index counts from the end
/// (`scores[-1]`), and `[+]` is the place after the last element.
public struct StatePath: Hashable, Sendable {
    /// One step down.
    public enum Step: Hashable, Sendable {
        /// To the value of a key of a dictionary.
        case key(String)
        /// To an element of an array, counted from 0; negative ones count from the end, where -1 is the last.
        case index(Int)
        /// To the place after the last element of an array, where something can be put.
        case end
    }

    /// A path has at most as many steps. No tree that was read is deeper.
    public static let depthLimit = 256

    /// From the root downwards; empty for the root itself.
    public var steps: [Step]

    /// - Parameter steps: from the root downwards
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The whole tree.
    public static let root = StatePath()

    /// One step further down.
    public func appending(_ step: Step) -> StatePath {
        StatePath(steps + [step])
    }
}

extension StatePath.Step {
    /// Keys are the same where their bytes are, as in a tree.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.key(let left), .key(let right)): left.isLiterally(right)
        case (.index(let left), .index(let right)): left == right
        case (.end, .end): true
        default: false
        }
    }

    /// Likewise.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .key(let key): for byte in key.utf8 { hasher.combine(byte) }
        case .index(let index): hasher.combine(index)
        case .end: break
        }
    }
}

extension StatePath: CustomStringConvertible {
    /// As it is typed. It is fit to print whatever its keys are, and reading it again gives the same path.
    public var description: String {
        steps.isEmpty ? "." : steps.reduce(into: "") { $1.write(to: &$0) }
    }
}

extension StatePath: ExpressibleByStringLiteral {
    /// For paths that stand in the source. Traps where it is none.
    public init(stringLiteral text: StaticString) {
        do throws(StateError) {
            self = try StatePath(parsing: text.description)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension StatePath.Step {
    /// Adds this step to the text of those before it.
    func write(to text: inout String) {
        switch self {
        case .index(let index): text += "[\(index)]"
        case .end: text += "[+]"
        case .key(let key) where Self.isPlain(key):
            if !text.isEmpty { text += "." }
            text += key
        case .key(let key): text += "[\(Self.quoted(key))]"
        }
    }

    /// Whether a key can stand by itself, and can be told from everything else that may stand in a path.
    static func isPlain(_ key: String) -> Bool {
        !key.isEmpty
            && key.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "$", "@", ":": true
                default: !scalar.isASCII && PrintableText.isHarmless(scalar) && !scalar.properties.isWhitespace
                }
            }
    }

    /// A key between quotes, with what can't be printed as escapes.
    static func quoted(_ key: String) -> String {
        // By scalars: a quote with a combining mark behind it is one character, and ends the key all the same.
        var text = "\"".unicodeScalars
        for scalar in PrintableText(key, limit: .max).description.unicodeScalars {
            if scalar == "\"" { text.append("\\") }
            text.append(scalar)
        }
        return String(text) + "\""
    }
}
