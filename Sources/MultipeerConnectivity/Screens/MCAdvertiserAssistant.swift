public import Foundation
import LinuxPlatform
import Session
import Vocabulary

/// Lets others see a peer, and asks the person at the terminal about each invitation: yes, no, or never again.
///
/// `@unchecked Sendable` because what changes in it is behind a lock.
open class MCAdvertiserAssistant: NSObject, @unchecked Sendable {
    /// Where those come who are let in.
    public let session: MCSession
    /// What else others see, before they connect.
    public let discoveryInfo: [String: String]?
    /// What is advertised.
    public let serviceType: String

    private let advertiser: MCNearbyServiceAdvertiser
    private let screen: any PersonScreen
    private let changing = Guarded(Changing())
    private lazy var reception = Reception(self)

    private struct Changing {
        weak var delegate: (any MCAdvertiserAssistantDelegate)?
        /// One question after the other.
        var lastQuestion: Task<Void, Never>?
    }

    /// - Parameters:
    ///   - serviceType: 1 to 15 letters, digits and single hyphens; anything else ends the program
    ///   - info: up to about 400 bytes; everybody can read it
    ///   - session: where those come who are let in
    public convenience init(serviceType: String, discoveryInfo info: [String: String]?, session: MCSession) {
        self.init(
            MCNearbyServiceAdvertiser(peer: session.myPeerID, discoveryInfo: info, serviceType: serviceType),
            session,
            on: TerminalScreen()
        )
    }

    init(_ advertiser: MCNearbyServiceAdvertiser, _ session: MCSession, on screen: any PersonScreen) {
        self.advertiser = advertiser
        self.session = session
        self.screen = screen
        discoveryInfo = advertiser.discoveryInfo
        serviceType = advertiser.serviceType
        super.init()
        advertiser.delegate = reception
    }

    /// Who is told. It is not kept alive.
    open weak var delegate: (any MCAdvertiserAssistantDelegate)? {
        get { changing.withLock { $0.delegate } }
        set { changing.withLock { $0.delegate = newValue } }
    }

    /// From now on others see this peer and can invite it.
    open func start() { advertiser.startAdvertisingPeer() }

    /// Others see this peer no more.
    open func stop() { advertiser.stopAdvertisingPeer() }

    /// Takes the advertiser's calls, so that they are none of this class's public ones.
    private final class Reception: NSObject, MCNearbyServiceAdvertiserDelegate {
        private weak let assistant: MCAdvertiserAssistant?

        init(_ assistant: MCAdvertiserAssistant) {
            self.assistant = assistant
        }

        func advertiser(
            _ advertiser: MCNearbyServiceAdvertiser,
            didReceiveInvitationFromPeer peerID: MCPeerID,
            withContext context: Data?,
            invitationHandler: @escaping (Bool, MCSession?) -> Void
        ) {
            let answer = Invitation(peer: peerID, handler: invitationHandler)
            guard let assistant else { return answer.handler(false, nil) }
            assistant.enqueue(answer)
        }
    }

    /// `@unchecked Sendable` because the handler of this module may be called from anywhere.
    private struct Invitation: @unchecked Sendable {
        let peer: MCPeerID
        let handler: (Bool, MCSession?) -> Void
    }

    private func enqueue(_ invitation: Invitation) {
        changing.withLock { changing in
            let before = changing.lastQuestion
            changing.lastQuestion = Engine.begin {
                await before?.value
                await self.ask(invitation)
            }
        }
    }

    private func ask(_ invitation: Invitation) async {
        delegate?.advertiserAssistantWillPresentInvitation(self)
        screen.show("\(invitation.peer) wants to connect. [y]es / [n]o / [b]lock: ")
        switch await screen.nextLine()?.lowercased().first {
        case "y": invitation.handler(true, session)
        case "b":
            invitation.handler(false, nil)
            do {
                try await advertiser.block(invitation.peer)
            } catch {
                screen.show("\(error.localizedDescription)\n")
            }
        default: invitation.handler(false, nil)
        }
        delegate?.advertiserAssistantDidDismissInvitation(self)
    }
}
