import Household
import SessionRules

/// What a person says to an invitation, as it is passed on.
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
    /// - Parameter isForOnce: whether that holds for this time only, also where the person did not say so here
    init?(_ said: PersonalAnswer, needsCode: Bool, isForOnce: Bool) {
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
