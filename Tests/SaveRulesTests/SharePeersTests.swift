import SaveRules
import TestSupport
import Testing
import Vocabulary

@Suite("Machines that share a game", .timeLimit(.minutes(5)))
struct SharePeersTests {
    private let desk = Sample.peer(4)

    private func part(_ peers: SharePeers, _ heads: VersionState, heldOff: SyncObstacle? = nil) -> GameSharer.Part {
        peers.part(of: desk, heads, rights: nil, isForgotten: false, heldOff: heldOff)
    }

    private func connected(_ heads: VersionState) -> SharePeers {
        var peers = SharePeers(allowed: [desk])
        _ = peers.connect(desk, in: Sample.celeste, heads: heads.announcement, firstEpoch: 7)
        return peers
    }

    @Test("a machine that connects again gets the next epoch and hears the newest versions")
    func epochs() {
        var play = HeadsPlay(5)
        play.captures("chapter 1")
        var peers = connected(play.heads)
        #expect(peers.epochs[desk] == ExchangeEpoch(7) && !peers.isQuiet)
        let actions = peers.connect(desk, in: Sample.celeste, heads: play.heads.announcement, firstEpoch: 1)
        #expect(actions == [.sendHeads(play.heads.announcement)] && peers.epochs[desk] == ExchangeEpoch(8))
    }

    @Test("a machine is behind until it has said that it has the complete newest version")
    func behind() {
        var play = HeadsPlay(5)
        play.captures("chapter 1")
        var peers = connected(play.heads)
        #expect(peers.behind(play.heads) == [desk] && part(peers, play.heads) == .behind)
        _ = peers.online[desk]?.exchange.received(play.heads.announcement, play.heads.graph, own: play.heads.heads)
        #expect(peers.behind(play.heads) == [] && part(peers, play.heads) == .holdsNewest && peers.isQuiet)
        play.captures("chapter 2")
        #expect(peers.behind(play.heads) == [desk])
        peers.refusedThere(desk)
        #expect(peers.behind(play.heads) == [] && part(peers, play.heads) == .blocked(.refusedThere))
    }

    @Test("an offline machine counts by its last report, unless something stops the game there")
    func offline() {
        var play = HeadsPlay(5)
        let first = play.captures("chapter 1")
        var peers = SharePeers(allowed: [desk])
        #expect(part(peers, play.heads) == .notJoined)
        #expect(peers.noteNamed([first.id], by: desk) == true)
        #expect(part(peers, play.heads) == .holdsNewest && !peers.haveNamedNewer(than: play.heads))
        #expect(part(peers, play.heads, heldOff: .noAnswer) == .blocked(.noAnswer))
        peers.note(stopped: true, desk)
        #expect(part(peers, play.heads, heldOff: .noAnswer) == .stopped)
        peers.share(with: desk)
        #expect(part(peers, play.heads) == .holdsNewest)
    }

    @Test("the versions that machines name are written down one after the other, the latest only")
    func saving() {
        let (one, other) = (SnapshotID(words: (1, 0, 0, 0)), SnapshotID(words: (2, 0, 0, 0)))
        var peers = SharePeers(allowed: [desk])
        #expect(peers.noteNamed([one], by: desk) == true)
        #expect(peers.noteNamed([one], by: desk) == false)
        #expect(peers.noteNamed([other], by: desk) == false)
        #expect(peers.nextToSave()?.heads == [other])
        #expect(peers.nextToSave() == nil)
        #expect(peers.noteNamed(nil, by: desk) == true)
        #expect(peers.nextToSave()?.peer == desk && peers.named.isEmpty)
    }

    @Test(
        "a machine whose right to a game was taken away is forgotten, and no other machine restores it without a user"
    )
    func revoked() {
        var peers = SharePeers(allowed: [desk], named: [desk: []])
        peers.note(learned: false, from: desk)
        peers.beginRevoking(desk)
        peers.abandonRevoking(desk)
        #expect(peers.allowed == [desk] && peers.revoked.isEmpty)
        peers.revoke(desk)
        #expect(peers.allowed.isEmpty && peers.named.isEmpty && peers.metadataFailed.isEmpty && peers.revoked == [desk])
        peers.share(with: desk)
        #expect(peers.allowed == [desk] && peers.revoked.isEmpty)
    }

    @Test("a silent machine is asked for nothing until it answers or its retry is due")
    func silent() {
        var peers = connected(HeadsPlay(5).heads)
        peers.online[desk]?.offers = [SnapshotID(words: (1, 0, 0, 0))]
        #expect(peers.isAnyToAsk)
        #expect(peers.becameSilent(desk) == true)
        #expect(!peers.isAnyToAsk)
        #expect(peers.answered(desk) == true)
        #expect(peers.answered(desk) == false)
        #expect(peers.becameSilent(Sample.peer(3)) == false)
        #expect(peers.becameSilent(desk) == true)
        #expect(peers.takeSilent() == [desk] && peers.silent.isEmpty)
    }
}
