/// Deadlines in order, each with a payload to return when it has passed. Pure: the caller passes the time.
struct TimerQueue<Instant: Comparable, Payload> {
    private struct Entry {
        let deadline: Instant
        let id: UInt64
    }

    private var heap: [Entry] = []
    private var payloads: [UInt64: Payload] = [:]
    private var lastID: UInt64 = 0

    /// The number of pending timers.
    var count: Int { payloads.count }

    /// The earliest deadline that still matters.
    var next: Instant? {
        mutating get {
            dropCancelledTop()
            return heap.first?.deadline
        }
    }

    /// Adds a deadline. Timers with the same deadline come back in the order of their addition.
    mutating func add(_ payload: Payload, at deadline: Instant) -> UInt64 {
        lastID += 1
        payloads[lastID] = payload
        heap.append(Entry(deadline: deadline, id: lastID))
        rise(from: heap.count - 1)
        return lastID
    }

    /// Removes a timer and returns its payload, unless it has already come due.
    mutating func cancel(_ id: UInt64) -> Payload? {
        let payload = payloads.removeValue(forKey: id)
        // Cancelled entries stay in the heap until they surface; a caller that cancels nearly everything must not
        // make the heap grow for ever.
        if payload != nil, heap.count > 64, heap.count > payloads.count * 2 { rebuild() }
        return payload
    }

    /// Takes out the next payload whose deadline is not later than `now`.
    mutating func popDue(_ now: Instant) -> Payload? {
        dropCancelledTop()
        guard let top = heap.first, top.deadline <= now else { return nil }
        removeTop()
        return payloads.removeValue(forKey: top.id)
    }

    private mutating func dropCancelledTop() {
        while let top = heap.first, payloads[top.id] == nil { removeTop() }
    }

    private mutating func rebuild() {
        let live = heap.filter { payloads[$0.id] != nil }
        heap.removeAll(keepingCapacity: true)
        for entry in live {
            heap.append(entry)
            rise(from: heap.count - 1)
        }
    }

    private mutating func removeTop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink()
    }

    private mutating func rise(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard precedes(child, parent) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, smallest) {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        let (a, b) = (heap[left], heap[right])
        return a.deadline != b.deadline ? a.deadline < b.deadline : a.id < b.id
    }
}
