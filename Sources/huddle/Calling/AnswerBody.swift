import Household
import SessionRules

/// The request body with the user's answer to an invitation.
struct AnswerBody: JSONShape {
    let answer: String
    var code: String?
    var always: Bool?

    var fields: JSONFields {
        var fields = JSONFields()
        fields.set("answer", answer)
        fields.set("code", code)
        fields.set("always", always)
        return fields
    }
}

extension AnswerBody {
    /// - Parameter isForOnce: true to trust the machine this time only, even if the user did not say so
    init?(_ said: UserAnswer, needsCode: Bool, isForOnce: Bool) {
        switch said {
        case .yes where !needsCode: self.init(answer: "accept", always: isForOnce ? nil : true)
        case .once where !needsCode: self.init(answer: "accept")
        case .code(let code, let saysOnce) where needsCode:
            self.init(answer: "accept", code: code.digits, always: isForOnce || saysOnce ? nil : true)
        case .no: self.init(answer: "decline")
        case .block: self.init(answer: "block")
        case .yes, .once, .code, .unclear: return nil
        }
    }
}
