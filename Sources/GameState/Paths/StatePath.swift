import SecureArchive
import Vocabulary

/// The path to a value in a tree: `people[0].height`.
///
/// Ambiguous keys are in quotes (`people["first name"]`), a negative index counts from the end (`scores[-1]`), and
/// `[+]` is the place after the last element.
public struct StatePath: Hashable, Sendable {
    /// One step down.
    public enum Step: Hashable, Sendable {
        /// The step to the value of a key.
        case key(String)
        /// The step to an element of an array, counted from 0; negative numbers count from the end, where -1 is the
        /// last.
        case index(Int)
        /// The step to the place after the last element of an array, for appending.
        case end
    }

    /// The largest number of steps. No tree that was read is deeper.
    public static let depthLimit = 256

    /// The steps from the root; empty for the root itself.
    public var steps: [Step]

    /// - Parameter steps: from the root
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
    /// Compares keys by their bytes, as in a tree.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.key(let left), .key(let right)): left.isLiterally(right)
        case (.index(let left), .index(let right)): left == right
        case (.end, .end): true
        default: false
        }
    }

    /// Hashes keys by their bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .key(let key): for byte in key.utf8 { hasher.combine(byte) }
        case .index(let index): hasher.combine(index)
        case .end: break
        }
    }
}

extension StatePath: CustomStringConvertible {
    /// The path as users type it. It is fit to print with any keys, and reading it gives the same path.
    public var description: String {
        steps.isEmpty ? "." : steps.reduce(into: "") { $1.write(to: &$0) }
    }
}

extension StatePath: ExpressibleByStringLiteral {
    /// A path from a literal. Traps if it is none.
    public init(stringLiteral text: StaticString) {
        do throws(StateError) {
            self = try StatePath(parsing: text.description)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension StatePath.Step {
    /// Appends this step to the text of the steps before it.
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

    /// True if a key needs no quotes in a path.
    static func isPlain(_ key: String) -> Bool {
        !key.isEmpty
            && key.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "$", "@", ":": true
                default: !scalar.isASCII && PrintableText.isHarmless(scalar) && !scalar.properties.isWhitespace
                }
            }
    }

    /// A key in quotes, with escapes for unprintable characters.
    static func quoted(_ key: String) -> String {
        // By scalars: a quote with a combining mark is one character, and still ends the key.
        var text = "\"".unicodeScalars
        for scalar in PrintableText(key, limit: .max).description.unicodeScalars {
            if scalar == "\"" { text.append("\\") }
            text.append(scalar)
        }
        return String(text) + "\""
    }
}
