public import Foundation
import LinuxPlatform
import Session
import Vocabulary

/// Lets others see a peer, and asks the person at the terminal about each invitation: yes, no, or never again.
///
/// `@unchecked Sendable` because what changes in it is behind a lock.
open class MCAdvertiserAssistant: NSObject, @unchecked Sendable {
    private let advertiser: MCNearbyServiceAdvertiser
    private let meetingPlace: MCSession
    /// Set while it is made, and never again.
    private var screen: any PersonScreen = TerminalScreen()
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
    public init(serviceType: String, discoveryInfo info: [String: String]?, session: MCSession) {
        advertiser = MCNearbyServiceAdvertiser(
            peer: session.myPeerID,
            discoveryInfo: info,
            serviceType: serviceType
        )
        meetingPlace = session
        super.init()
        advertiser.delegate = reception
    }

    convenience init(serviceType: String, session: MCSession, on screen: any PersonScreen) {
        self.init(serviceType: serviceType, discoveryInfo: nil, session: session)
        self.screen = screen
    }

    /// Where those come who are let in.
    open var session: MCSession { meetingPlace }

    /// What else others see, before they connect.
    open var discoveryInfo: [String: String]? { advertiser.discoveryInfo }

    /// What is advertised.
    open var serviceType: String { advertiser.serviceType }

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
