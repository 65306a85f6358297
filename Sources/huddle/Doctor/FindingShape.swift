import Diagnosis

/// A finding as JSON, which `docs/json-output.md` describes.
struct FindingShape: Encodable {
    private enum CodingKeys: CodingKey {
        case event, check, state, message, explanation, commands
    }

    private let finding: Finding

    init(_ finding: Finding) {
        self.finding = finding
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("finding", forKey: .event)
        try container.encode(finding.check.rawValue, forKey: .check)
        try container.encode(finding.grade.rawValue, forKey: .state)
        try container.encode(finding.message, forKey: .message)
        try container.encodeIfPresent(finding.explanation, forKey: .explanation)
        if finding.grade != .well { try container.encode(finding.commands, forKey: .commands) }
    }
}
