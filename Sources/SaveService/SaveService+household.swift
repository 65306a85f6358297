import Household
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// The machines of the household that vouch for each other, in the household and in its events.
extension SaveService {
    /// Before the household runs.
    func joinVouching() {
        household.vouching = Vouching { [weak keeper] in
            let removed = keeper?.household.removed ?? []
            return Dictionary(removed.map { ($0.subject, $0.vouchers) }) { first, _ in first }
        } keep: { [weak keeper] peer in
            try await keeper?.household.keep(peer) ?? false
        }
        keeper.household.whenNews = { [weak self] news in
            guard let self else { return }
            household.node.crew.add { self.household.tell(await self.wording.news(news)) }
        }
    }
}

extension SaveWording {
    func news(_ news: HouseholdNews) async -> SessionNews {
        switch news {
        case .vouched(let peer, let name, let voucher):
            let tag = PeerTag(peer, name)
            let sentence = """
                Paired with \(tag.full): \(await self.tag(voucher)) vouches for it; `huddle forget \(peer.short)` undoes that
                """
            return SessionNews("vouched", tag, sentence) { $0.details = ["voucher": voucher.description] }
        case .removed(let peer, let vouchers):
            let tag = await tag(peer)
            let sentence = """
                \(await names(vouchers)) removed \(tag.full) from the household: `huddle keep \(peer.short)` keeps it here, \
                `huddle forget \(peer.short)` removes it here, too
                """
            return SessionNews("removed-elsewhere", tag, sentence) {
                $0.details = ["voucher": vouchers.first?.description ?? ""]
            }
        case .trouble(let error):
            return .trouble("the statements about machines of the household can't be stored: \(error)")
        }
    }
}
