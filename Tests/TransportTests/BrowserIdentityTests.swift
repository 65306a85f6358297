import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@testable import Transport

@Suite("The key of the page for browsers on other machines")
struct BrowserIdentityTests {
    @Test("A browser identity is stored for its user alone, and the next start has the same")
    func kept() throws {
        let folder = TemporaryFolder()
        let first = try BrowserIdentity.loadOrCreate(in: folder.path)
        #expect(first.text.contains("BEGIN PRIVATE KEY") && first.text.contains("BEGIN CERTIFICATE"))
        #expect(try BrowserIdentity.loadOrCreate(in: folder.path).text == first.text)
        #expect(try FileFacts(at: "\(folder.path)/page.pem").mode == .privateFile)
    }

    @Test("A damaged browser identity is replaced", arguments: ["", "no key", "-----BEGIN PRIVATE KEY-----\nAA=="])
    func damaged(text: String) throws {
        let folder = TemporaryFolder()
        try AtomicFile(FileName("page.pem"))
            .write(Array(text.utf8), in: Folder(at: folder.path), overwriting: .allowed)
        let made = try BrowserIdentity.loadOrCreate(in: folder.path)
        #expect(made.text.contains("BEGIN CERTIFICATE"))
        #expect(try BrowserIdentity.loadOrCreate(in: folder.path).text == made.text)
    }

    @Test("The machine's own key is no key for browsers, which know no Ed25519")
    func wrongKind() throws {
        let folder = TemporaryFolder()
        try AtomicFile(FileName("page.pem"))
            .write(Identity.ephemeral().text, in: Folder(at: folder.path), overwriting: .allowed)
        let made = try BrowserIdentity.loadOrCreate(in: folder.path)
        #expect(Identity.reading(Array(made.text.utf8)) == nil)
    }
}
