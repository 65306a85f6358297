/// Frames on the way, the next one to arrive first. The queue is bounded, and drops frames beyond its budget.
struct FrameQueue {
    struct Frame {
        let arrival: Int64
        /// Frames that arrive at the same time keep their order.
        let number: UInt64
        let bytes: [UInt8]

        func isBefore(_ other: Frame) -> Bool {
            (arrival, number) < (other.arrival, other.number)
        }
    }

    private let byteBudget: Int
    private var byteCount = 0
    private var lastNumber: UInt64 = 0
    /// A binary heap: no frame arrives after those below it.
    private var heap: [Frame] = []

    init(byteBudget: Int) {
        self.byteBudget = byteBudget
    }

    /// The arrival time of the next frame.
    var nextArrival: Int64? { heap.first?.arrival }

    /// Adds a frame. Returns false if there is no room and the frame is lost.
    mutating func add(_ bytes: [UInt8], arrivingAt arrival: Int64) -> Bool {
        guard byteCount + bytes.count <= byteBudget else { return false }
        byteCount += bytes.count
        lastNumber += 1
        heap.append(Frame(arrival: arrival, number: lastNumber, bytes: bytes))
        rise(from: heap.count - 1)
        return true
    }

    /// Removes the next frame that has arrived by now.
    mutating func take(at now: Int64) -> [UInt8]? {
        guard let first = heap.first, first.arrival <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(from: 0)
        byteCount -= first.bytes.count
        return first.bytes
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var index = start
        while true {
            var first = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].isBefore(heap[first]) {
                first = child
            }
            guard first != index else { return }
            heap.swapAt(index, first)
            index = first
        }
    }
}
