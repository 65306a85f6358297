import Testing
import Vocabulary

@Suite("Class of an error", .timeLimit(.minutes(5)))
struct ErrorClassTests {
    @Test("A code without a class has the default class")
    func usualClass() {
        #expect(("test.refused" as ErrorCode).errorClass == .refused)
    }

    @Test("Codes are equal if their words are, whatever their classes")
    func equality() {
        let code = ErrorCode(.notFound, "test.missing")
        #expect(code == "test.missing" && code.hashValue == ("test.missing" as ErrorCode).hashValue)
        #expect(code.classed(.busy).errorClass == .busy && code.classed(.busy) == code)
    }

    @Test("Each class is a lower-case word with hyphens on the wire")
    func wire() {
        for errorClass in ErrorClass.allCases {
            #expect(errorClass.rawValue.allSatisfy { $0 == "-" || $0.isLowercase }, "\(errorClass)")
        }
    }
}
