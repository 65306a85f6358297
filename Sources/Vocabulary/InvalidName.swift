/// Why a text can't be the name it was meant to be.
public struct InvalidName: ExplainedError, Equatable {
    /// The rule that was broken, as a stable word.
    public let code: ErrorCode

    /// What was offered and which rule it broke.
    public let message: String

    /// The broken rule alone, such as “it is empty”.
    public let rule: String

    /// How to choose a name that passes.
    public let nextStep: String

    /// - Parameters:
    ///   - code: the rule as a stable word
    ///   - offered: the text as it came; it is made printable here
    ///   - rule: the broken rule, continuing the sentence "… is not a service type: "
    ///   - kind: what the text was meant to be, with its article
    ///   - nextStep: what to do instead
    package init(_ code: ErrorCode, _ offered: String, isNot kind: String, because rule: String, nextStep: String) {
        self.code = code
        self.rule = rule
        self.message = "“\(PrintableText(offered, limit: 80))” is not \(kind): \(rule)"
        self.nextStep = nextStep
    }
}
