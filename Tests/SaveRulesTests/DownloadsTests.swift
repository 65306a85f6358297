import SaveRules
import TestSupport
import Testing
import Vocabulary

@Suite("The downloads of a game", .timeLimit(.minutes(5)))
struct DownloadsTests {
    private let desk = Sample.peer(4)
    private let pieces = [Sample.piece("manifest")]

    /// A machine that has the first version and knows the second one, which another machine offers.
    private struct Scene {
        var heads: VersionState
        var peers: SharePeers
        let newest: Snapshot

        func at(_ seconds: Double) -> Downloads.Surroundings {
            Downloads.Surroundings(heads, peers, at: .at(seconds))
        }
    }

    private func scene() throws -> Scene {
        var (own, other) = (HeadsPlay(5), HeadsPlay(4))
        let first = other.captures("chapter 1")
        try own.receives(first, from: other)
        let newest = other.captures("chapter 2")
        try own.heads.learn([newest])
        var peers = SharePeers(allowed: [desk])
        _ = peers.connect(desk, in: Sample.celeste, heads: own.heads.announcement, firstEpoch: 1)
        peers.online[desk]?.offers = [newest.id]
        return Scene(heads: own.heads, peers: peers, newest: newest)
    }

    @Test("a newer version that a machine offers is wanted, and asked of that machine")
    func wanted() throws {
        let (scene, id) = (try scene(), try scene().newest.id)
        var downloads = Downloads()
        #expect(downloads.search(scene.at(0)) { _ in 0 }.wanted == [id])
        #expect(downloads.begin(id, missing: pieces, scene.at(0)) == [])
        #expect(downloads.newer(than: scene.heads) == [id] && !downloads.isQuiet(scene.heads, scene.peers))
        #expect(downloads.findPeers(for: id, scene.at(0)) == [.ask(desk, id, pieces)])
        #expect(downloads.begin(id, missing: pieces, scene.at(0)) == [])
        #expect(downloads.isRunning(id, 1) && downloads.isMissing(pieces[0].id, of: id))
    }

    @Test(
        "a complete version goes through its manifest, and a late result of an earlier download has no effect"
    )
    func whole() throws {
        let (scene, id) = (try scene(), try scene().newest.id)
        var downloads = Downloads()
        _ = downloads.begin(id, missing: pieces, scene.at(0))
        _ = downloads.findPeers(for: id, scene.at(0))
        let read = downloads.received(pieces[0].id, length: 100, isSound: true, from: desk, id, scene.at(1))
        #expect(read == [.readManifest(id, 1)] && downloads.isReading(id, 1))
        #expect(downloads.manifestRead(id, missing: [], scene.at(1)) == [.complete(id, 1)])
        #expect(downloads.isAboutToBeStored(id))
        downloads.finish(id, 0)
        #expect(downloads.isRunning(id, 1))
        downloads.finish(id, 1)
        #expect(downloads.running.isEmpty)
    }

    @Test("a version that can't be stored is tried again, and still counts as newer")
    func unstored() throws {
        let (scene, id) = (try scene(), try scene().newest.id)
        var downloads = Downloads()
        _ = downloads.begin(id, missing: pieces, scene.at(0))
        downloads.storeFailed(id, 7, at: .at(1))
        #expect(downloads.unstored.isEmpty && downloads.isRunning(id, 1))
        downloads.storeFailed(id, 1, at: .at(1))
        #expect(downloads.unstored == [id] && downloads.running.isEmpty && downloads.retry.due == .at(1.5))
        #expect(downloads.newer(than: scene.heads) == [id])
        #expect(downloads.search(scene.at(2)) { _ in 0 }.wanted == [id])
        _ = downloads.begin(id, missing: pieces, scene.at(2))
        downloads.stored(scene.peers, at: .at(3))
        #expect(downloads.unstored.isEmpty && downloads.retry.due == nil)
    }

    @Test("a version that a newer one replaces is cancelled")
    func replaced() throws {
        var scene = try scene()
        var downloads = Downloads()
        _ = downloads.begin(scene.newest.id, missing: pieces, scene.at(0))
        _ = scene.heads.hold(scene.newest.id)
        let found = downloads.search(scene.at(1)) { _ in 0 }
        #expect(found.wanted == [] && found.cancelled == [scene.newest.id] && downloads.running.isEmpty)
        #expect(downloads.begin(scene.newest.id, missing: pieces, scene.at(1)) == [] && downloads.running.isEmpty)
    }

    @Test("a machine that sends a wrong piece is refused, and an offer that no machine serves is tried again")
    func starved() throws {
        var (scene, id) = (try scene(), try scene().newest.id)
        var downloads = Downloads()
        _ = downloads.begin(id, missing: pieces, scene.at(0))
        _ = downloads.findPeers(for: id, scene.at(0))
        let refused = downloads.received(pieces[0].id, length: 100, isSound: false, from: desk, id, scene.at(1))
        #expect(refused == [.refuse(desk, SaveRefusal(.otherContents(pieces[0].id)))])
        #expect(downloads.running[id]?.isStarved == true && downloads.retry.due == .at(1.5))
        scene.peers.online[desk]?.offers = []
        #expect(downloads.isQuiet(scene.heads, scene.peers))
    }

    @Test("a version that was complete here and lost data is fetched again, even if it is not the newest")
    func incomplete() throws {
        var scene = try scene()
        _ = scene.heads.hold(scene.newest.id)
        let first = try #require(scene.newest.parents.first)
        var downloads = Downloads(incomplete: [first])
        #expect(downloads.search(scene.at(0)) { _ in 0 }.wanted == [first])
        _ = downloads.begin(first, missing: pieces, scene.at(0))
        #expect(downloads.findPeers(for: first, scene.at(0)) == [.ask(desk, first, pieces)])
        #expect(!downloads.isAnyNew && downloads.isQuiet(scene.heads, scene.peers))
        #expect(downloads.discard([first]) == [first])
        #expect(downloads.discarded == [first] && downloads.running.isEmpty)
    }

    @Test("searches that are wanted before one begins are served by that one")
    func searches() {
        var downloads = Downloads()
        #expect(downloads.requestSearch() == true && downloads.isSearchUnderWay)
        #expect(downloads.requestSearch() == false)
        #expect(downloads.beginSearch() == true)
        #expect(downloads.beginSearch() == false && !downloads.isSearchUnderWay)
    }

    @Test("a search that is wanted while another one runs follows it, and the loop is not started twice")
    func searchAgain() {
        var downloads = Downloads()
        #expect(downloads.requestSearch() && downloads.beginSearch())
        #expect(downloads.requestSearch() == false && downloads.requestSearch() == false)
        #expect(downloads.beginSearch() == true)
        #expect(downloads.beginSearch() == false && downloads.requestSearch() == true)
    }
}
