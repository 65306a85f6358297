import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@testable import Resources

@Suite("File with a size of 0", .timeLimit(.minutes(5)))
struct UnknownSizeTests {
    let from = TemporaryFolder()
    let into = TemporaryFolder()

    @Test(
        "A file with a size of 0 and content is refused with a next step",
        arguments: ["/proc/version", "/proc/self/status"]
    )
    func madeUp(path: String) throws {
        let error = #expect(throws: ResourceError.self) { _ = try ResourceSource(at: path) }
        #expect(error?.code == "resource.unknown-size")
        #expect(error?.nextStep.contains("cp ") == true)
    }

    @Test("An empty file arrives")
    func empty() throws {
        try put([], at: from.path(of: "empty"))
        #expect(try Transfer.whole(ResourceSource(at: from.path(of: "empty")), into: into.path).name == "empty")
        #expect(contents(of: into.path(of: "empty")) == [])
    }
}
