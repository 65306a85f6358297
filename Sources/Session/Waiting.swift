/// A first-in, first-out queue. It keeps a small memory for reuse.
@usableFromInline struct Waiting<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var first = 0

    @inlinable static var kept: Int { 256 }

    var count: Int { elements.count - first }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    @inlinable mutating func removeFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first].take()
        first += 1
        if first == elements.count {
            elements.removeAll(keepingCapacity: first <= Self.kept)
            first = 0
        } else if first > elements.count / 2, first > Self.kept {
            elements.removeSubrange(..<first)
            first = 0
        }
        return element
    }

    /// Changes the newest element for which `isMeant` is true. Returns true if there is one.
    mutating func changeLast(where isMeant: (Element) -> Bool, _ change: (inout Element) -> Void) -> Bool {
        for place in elements.indices.reversed() where place >= first {
            guard var element = elements[place], isMeant(element) else { continue }
            change(&element)
            elements[place] = element
            return true
        }
        return false
    }
}
