import Vocabulary

/// The reason for which the reader stopped before the end of a YAML text.
package enum YAMLFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed(String, line: Int)
    case alias(line: Int)
    case tooDeep(line: Int)
    case tooLong(line: Int)
    case tooLarge
    case unreadable(String)
    case noMemory

    package var description: String {
        switch self {
        case .malformed(let problem, let line): "line \(line): \(PrintableText(prose: problem, limit: 200))"
        case .alias(let line): "line \(line): it has an alias, which no manifest needs"
        case .tooDeep(let line): "line \(line): values are nested too deep"
        case .tooLong(let line): "line \(line): a text is too long"
        case .tooLarge: "it is too large"
        case .unreadable(let reason): "it can't be read: \(PrintableText(prose: reason, limit: 200))"
        case .noMemory: "there is no memory for it"
        }
    }
}
