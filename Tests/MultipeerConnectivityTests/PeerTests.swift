import Foundation
import LinuxPlatform
import SecureCoding
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Identity of a peer", .timeLimit(.minutes(5)))
struct PeerTests {
    // Foundation's own archives of one peer have up to six forms.
    @Test("A peer's archive has the same bytes each time, with any archiver, and Foundation reads it")
    func archivesAlike() throws {
        let peer = MCPeerID(displayName: "Ann")
        var archives: Set<Data> = []
        for isSecure in [true, false] {
            for _ in 0..<50 {
                let data = try NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: isSecure)
                archives.insert(data)
                let again = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data))
                #expect(again == peer)
                archives.insert(try NSKeyedArchiver.archivedData(withRootObject: again, requiringSecureCoding: true))
            }
        }
        #expect(archives.count == 1)
        #expect(try archives.map { try MCObjects.unarchive(MCPeerID.self, from: $0) } == [peer])
    }

    @Test("Each created peer is a new one, whatever its name, and a copy is the same")
    func unique() throws {
        let (one, other) = (MCPeerID(displayName: "Deck"), MCPeerID(displayName: "Deck"))
        #expect(one != other)
        #expect(one.displayName == other.displayName)
        let copy = try #require(one.copy() as? MCPeerID)
        #expect(copy == one && copy.hash == one.hash)
        #expect(Set([one, other, copy]).count == 2)
    }

    @Test("A hash is the same in every program, so two peers can decide by it which one invites")
    func hash() throws {
        let id = try #require(PeerID(bytes: Array(1...32)))
        #expect(MCPeerID(id, displayName: "Deck").hash == 0x0081_0182_0283_0384)
        #expect(MCPeerID(id, displayName: "Deck").hashValue == 0x0081_0182_0283_0384)
        let greatest = try #require(PeerID(bytes: Array(repeating: 255, count: 32)))
        #expect(MCPeerID(greatest, displayName: "Deck").hash == Int.max)
    }

    @Test("An archive restores the peer, with Foundation's coders and with this project's")
    func archived() throws {
        let folder = TemporaryFolder()
        try PeerFolder.$keptRoot.withValue(folder.path(of: "kept")) { try comeBack() }
        #expect(folder.names() == ["kept"])
    }

    private func comeBack() throws {
        let peer = MCPeerID(displayName: "Déck 🎮")
        let data = try NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data))
        #expect(back == peer && back.displayName == "Déck 🎮")
        #expect(back.local != nil, "an archived peer is local again")
        let secure = try SecureArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
        let again = try #require(try SecureUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: secure))
        #expect(again == peer)
        let text = String(decoding: secure, as: UTF8.self)
        #expect(text.contains("MCPeerID") && !text.contains("MultipeerConnectivity."), "the class has Apple's name")
    }

    @Test("An archive has no key, and no other program is the peer")
    func publicOnly() throws {
        let (folder, elsewhere) = (TemporaryFolder(), TemporaryFolder())
        var (data, id) = (Data(), "")
        try PeerFolder.$keptRoot.withValue(folder.path) {
            let peer = MCPeerID(displayName: "Deck")
            id = peer.id.description
            data = try MCObjects.archive(peer)
            #expect(try MCObjects.unarchive(MCPeerID.self, from: data).isOwn)
        }
        #expect(!String(decoding: data, as: UTF8.self).contains("PRIVATE"))
        #expect(data.count < 600)
        // The created peer was released, as after the program's end.
        let back = try PeerFolder.$keptRoot.withValue(folder.path) {
            try MCObjects.unarchive(MCPeerID.self, from: data)
        }
        #expect(back.isOwn && back.id.description == id)
        _ = consume back
        let other = try PeerFolder.$keptRoot.withValue(elsewhere.path) {
            try MCObjects.unarchive(MCPeerID.self, from: data)
        }
        #expect(!other.isOwn && other.id.description == id)
    }

    @Test("A name of 63 bytes is valid; an empty one and one of 64 bytes end the program")
    func names() async {
        #expect(MCPeerID(displayName: String(repeating: "x", count: 63)).displayName.count == 63)
        await #expect(processExitsWith: .failure) { _ = MCPeerID(displayName: "") }
        await #expect(processExitsWith: .failure) { _ = MCPeerID(displayName: String(repeating: "é", count: 32)) }
    }

    @Test(
        "A type that breaks the rules is no service type",
        arguments: ["", "a_b", "-a", "a--b", "12", "abcdefghijklmnop", "x._tcp"]
    )
    func serviceTypes(name: String) async {
        #expect(ServiceKind.type(name) == nil)
    }

    @Test("A service type may have capital letters, which equal the small ones")
    func serviceTypeCases() {
        #expect(ServiceKind.type("MKSVC")?.description == "_mksvc._tcp")
        #expect(
            MCNearbyServiceBrowser(peer: MCPeerID(displayName: "Deck"), serviceType: "MyGame").serviceType == "MyGame"
        )
    }

    @Test("An advertiser or a browser with an invalid type ends the program")
    func serviceTypeTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = MCNearbyServiceBrowser(peer: MCPeerID(displayName: "Deck"), serviceType: "Not_Good")
        }
        await #expect(processExitsWith: .failure) {
            _ = MCNearbyServiceAdvertiser(
                peer: MCPeerID(displayName: "Deck"),
                discoveryInfo: ["a=b": "c"],
                serviceType: "good"
            )
        }
        await #expect(processExitsWith: .failure) {
            _ = MCSession(peer: MCPeerID(displayName: "a"), securityIdentity: ["?"], encryptionPreference: .none)
        }
    }

    @Test("No data is stored in a folder that others may write to, or in a link to a folder")
    func folders() throws {
        let folder = TemporaryFolder()
        let files = FileManager.default
        #expect(PeerFolder.ownFolder(folder.path(of: "new")) == folder.path(of: "new"))
        let mode = try #require(files.attributesOfItem(atPath: folder.path(of: "new"))[.posixPermissions] as? NSNumber)
        #expect(mode.intValue == 0o700)
        #expect(PeerFolder.ownFolder(folder.path(of: "new")) == folder.path(of: "new"), "it exists already")
        let open = folder.path(of: "open")
        try files.createDirectory(atPath: open, withIntermediateDirectories: false)
        try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
        #expect(PeerFolder.ownFolder(open) == nil)
        try files.createSymbolicLink(atPath: folder.path(of: "link"), withDestinationPath: folder.path(of: "new"))
        #expect(PeerFolder.ownFolder(folder.path(of: "link")) == nil)
        let foreign = geteuid() == 0 ? folder.path(of: "foreign") : "/"
        if geteuid() == 0 {
            try files.createDirectory(atPath: foreign, withIntermediateDirectories: false)
            try files.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: foreign)
        }
        #expect(PeerFolder.ownFolder(foreign) == nil)
        try Data().write(to: URL(fileURLWithPath: folder.path(of: "file")))
        #expect(PeerFolder.ownFolder(folder.path(of: "file")) == nil)
    }

    @Test("Discovery info has the limits of TXT records")
    func discoveryInfo() {
        #expect(PeerRecord.fault(in: ["level": "3", "run": "yes", "id": "x", "": ""]) != nil)
        #expect(PeerRecord.fault(in: ["level": "3", "run": "yes", "id": "x"]) == nil)
        #expect(PeerRecord.fault(in: ["k": String(repeating: "v", count: 253)]) == nil)
        #expect(PeerRecord.fault(in: ["k": String(repeating: "v", count: 254)]) != nil)
        #expect(PeerRecord.fault(in: ["a": "1", "A": "2"]) != nil)
        #expect(PeerRecord.fault(in: ["a=b": "1"]) != nil)
    }

    @Test("Raw values, constants and names are Apple's")
    func rawValues() {
        #expect([MCSessionState.notConnected, .connecting, .connected].map(\.rawValue) == [0, 1, 2])
        #expect([MCSessionSendDataMode.reliable, .unreliable].map(\.rawValue) == [0, 1])
        #expect([MCEncryptionPreference.optional, .required, .none].map(\.rawValue) == [0, 1, 2])
        let codes: [MCError.Code] = [
            .unknown, .notConnected, .invalidParameter, .unsupported, .timedOut, .cancelled, .unavailable,
        ]
        #expect(codes.map(\.rawValue) == Array(0...6))
        #expect(kMCSessionMinimumNumberOfPeers == 2 && kMCSessionMaximumNumberOfPeers == 8)
        let error = MCError(.timedOut, userInfo: ["a": 1]) as NSError
        #expect(error.domain == MCErrorDomain && error.code == 4 && error.userInfo["a"] as? Int == 1)
    }
}
