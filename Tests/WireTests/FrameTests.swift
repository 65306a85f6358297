import Testing
import Vocabulary
import Wire

@Suite("Frames", .timeLimit(.minutes(5)))
struct FrameTests {
    @Test("A frame of the control channel matches its test vector in both directions")
    func controlVectors() throws { try check(try Sample.controlFrames(), against: try Vectors().control) }

    @Test("A frame of a further channel matches its test vector in both directions")
    func channelVectors() throws { try check(try Sample.channelFrames(), against: try Vectors().channel) }

    private func check<Frame: WireFrame>(_ frames: [String: Frame], against vectors: [String: [UInt8]]) throws {
        #expect(Set(frames.keys) == Set(vectors.keys))
        let types = Set(vectors.values.map { $0[0] })
        #expect(types == Set((0...0xFF).filter(Frame.isKnown)), "every type has a vector")
        for (name, frame) in frames {
            let vector = try #require(vectors[name])
            #expect(frame.encoded == vector, "\(name)")
            #expect(try allFrames(of: vector) as [Frame] == [frame], "\(name)")
        }
    }

    @Test("A frame that is cut anywhere decodes once its rest arrives")
    func everyCut() throws {
        for bytes in try Vectors().control.values { try checkCuts(of: bytes, ControlFrame.self) }
        for bytes in try Vectors().channel.values { try checkCuts(of: bytes, ChannelFrame.self) }
    }

    private func checkCuts<Frame: WireFrame>(of bytes: [UInt8], _: Frame.Type) throws {
        let whole: [Frame] = try allFrames(of: bytes)
        for cut in bytes.indices {
            var decoder = FrameDecoder<Frame>()
            decoder.append(bytes[..<cut])
            #expect(try decoder.next() == nil)
            decoder.append(bytes[cut...])
            #expect(try decoder.next() == whole[0])
            #expect(try decoder.next() == nil)
        }
    }

    @Test("A payload that ends early at any byte is refused")
    func truncated() throws {
        for (name, bytes) in try Vectors().control where !["message", "message-begin", "message-part"].contains(name) {
            checkTruncated(bytes, ControlFrame.self, name)
        }
        for (name, bytes) in try Vectors().channel where name != "data" {
            checkTruncated(bytes, ChannelFrame.self, name)
        }
    }

    private func checkTruncated<Frame: WireFrame>(_ bytes: [UInt8], _: Frame.Type, _ name: String) {
        for count in 0..<(bytes.count - 4) {
            let cut = rawFrame(bytes[0], Array(bytes[4..<4 + count]))
            #expect(fault(of: cut, Frame.self) == .cutShort, "\(name) at \(count)")
        }
    }

    @Test("Bytes after the last field are refused from an equal peer and ignored from a newer peer")
    func trailing() throws {
        for (name, bytes) in try Vectors().control where !name.hasPrefix("message") || name == "message-ack" {
            let grown = rawFrame(bytes[0], bytes[4...] + [0xFF, 0xFF])
            #expect(fault(of: grown, ControlFrame.self) == .trailingBytes(count: 2), "\(name)")
            guard name != "hello" else { continue }
            #expect(
                try allFrames(of: grown, peerMinor: WireVersion.minor + 1) == allFrames(of: bytes) as [ControlFrame],
                "\(name)"
            )
        }
        for (name, bytes) in try Vectors().channel where name != "data" {
            let grown = rawFrame(bytes[0], bytes[4...] + [0xFF])
            #expect(fault(of: grown, ChannelFrame.self) == .trailingBytes(count: 1), "\(name)")
            #expect(
                try allFrames(of: grown, peerMinor: WireVersion.minor + 1) == allFrames(of: bytes) as [ChannelFrame],
                "\(name)"
            )
        }
    }
}
