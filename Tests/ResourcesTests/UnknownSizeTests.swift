import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@testable import Resources

@Suite("A file that says it is empty", .timeLimit(.minutes(5)))
struct UnknownSizeTests {
    let from = TemporaryFolder()
    let into = TemporaryFolder()

    @Test(
        "and holds something all the same is refused, with what to do",
        arguments: ["/proc/version", "/proc/self/status"]
    )
    func madeUp(path: String) throws {
        let error = #expect(throws: ResourceError.self) { _ = try ResourceSource(at: path) }
        #expect(error?.code == "resource.unknown-size")
        #expect(error?.nextStep.contains("cp ") == true)
    }

    @Test("and is, arrives")
    func empty() throws {
        try put([], at: from.path(of: "empty"))
        #expect(try Transfer.whole(ResourceSource(at: from.path(of: "empty")), into: into.path).name == "empty")
        #expect(contents(of: into.path(of: "empty")) == [])
    }
}
