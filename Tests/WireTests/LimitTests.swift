import Testing
import Vocabulary
import Wire

@Suite("Wire limits", .timeLimit(.minutes(5)))
struct LimitTests {
    @Test("The decoder refuses an overlong frame at its header, and still reads the frames before it")
    func frameLength() throws {
        let ping = ControlFrame.ping(1).encoded
        for (bytes, limit) in [([0x7F, 0x01, 0x00, 0x01], 65_536), ([0x03, 0x01, 0x00, 0x01], 65_536)]
            as [([UInt8], Int)]
        {
            var decoder = FrameDecoder<ControlFrame>()
            decoder.append(ping + bytes)
            #expect(try decoder.next() == .ping(1))
            let error = #expect(throws: WireError.self) { try decoder.next() }
            #expect(error?.fault == .frameTooLong(length: 65_537, limit: limit))
            #expect(error?.partingReason == .brokeProtocol)
        }
        #expect(
            fault(of: [0x80, 0x10, 0x00, 0x41], ChannelFrame.self) == .frameTooLong(length: 1_048_641, limit: 1_048_640)
        )
        #expect(fault(of: [0x80, 0x10, 0x00, 0x40], ChannelFrame.self) == nil)
        #expect(fault(of: [0x80, 0x01, 0x00, 0x00], ControlFrame.self) == nil)
    }

    @Test("An invitation has at most 32 KiB of context, and the largest one fits a frame")
    func context() throws {
        let full = try Sample.invite(context: [UInt8](repeating: 1, count: 32 << 10)[...])
        let bytes = ControlFrame.invite(full).encoded
        #expect(try allFrames(of: bytes) == [ControlFrame.invite(full)])
        var beyond = Array(bytes[4...]) + [1]
        let place = beyond.count - 1 - (32 << 10) - 4
        beyond.replaceSubrange(place..<place + 4, with: [0, 0, 0x80, 1])
        #expect(fault(of: rawFrame(0x10, beyond), ControlFrame.self) == .badValue("context"))
    }

    @Test("A list has at most 128 members with 16 addresses each, and the largest one fits a frame")
    func members() throws {
        let addresses = [MemberAddress](repeating: .v6(high: 1, low: 2), count: 16)
        let name = try InstanceName(String(repeating: "n", count: 63))
        let peer = try Sample.required(PeerID(bytes: Sample.bytes(from: 1, 32)))
        let member = ControlFrame.Member(peer: peer, name: name, port: 1, addresses: addresses)
        let full = ControlFrame.members(.init(session: Sample.session, members: Array(repeating: member, count: 128)))
        #expect(full.encoded.count <= 4 + WireLimits.controlPayload)
        #expect(try allFrames(of: full.encoded) == [full])
        var beyond = Array(full.encoded[4...])
        beyond[17] = 129
        #expect(fault(of: rawFrame(0x20, beyond), ControlFrame.self) == .badValue("members"))
        beyond[17] = 128
        // After the session, the count, the peer, the name and the port.
        beyond[18 + 32 + 65 + 2] = 17
        #expect(fault(of: rawFrame(0x20, beyond), ControlFrame.self) == .badValue("addresses"))
    }

    @Test("A member reports a time before the year 10000 and a version of at most 40 harmless bytes")
    func about() throws {
        let latest = ControlFrame.About.latestClock
        let program = try Sample.required(ProgramVersion(String(repeating: "9", count: 40)))
        let largest = ControlFrame.about(.init(clock: .max, program: program))
        #expect(try allFrames(of: largest.encoded) == [largest])
        #expect(ControlFrame.About(clock: -5, program: program).clock == 0)
        func payload(_ clock: UInt64, _ text: [UInt8]) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: clock >> (56 - 8 * $0)) } + [0, UInt8(text.count)] + text
        }
        #expect(fault(of: rawFrame(0x22, payload(latest, [0x31])), ControlFrame.self) == nil)
        #expect(fault(of: rawFrame(0x22, payload(latest + 1, [0x31])), ControlFrame.self) == .badValue("clock"))
        for text in [[], [UInt8](repeating: 0x31, count: 41), [0x31, 0x0A], [0x1B, 0x5B, 0x4A], [0xFF]] {
            #expect(fault(of: rawFrame(0x22, payload(0, text)), ControlFrame.self) == .badValue("program"), "\(text)")
        }
    }

    @Test("A message has at most 1 MiB, a number from 1 on, and at least one byte in its first frame")
    func message() {
        func frame(sequence: UInt8, total: [UInt8], count: Int) -> [UInt8] {
            rawFrame(
                0x30,
                Sample.session.bytes + [0, 0, 0, 0, 0, 0, 0, sequence] + total + [UInt8](repeating: 7, count: count)
            )
        }
        let mebibyte: [UInt8] = [0, 0x10, 0, 0]
        #expect(fault(of: frame(sequence: 1, total: mebibyte, count: WireLimits.firstPart), ControlFrame.self) == nil)
        #expect(
            fault(of: frame(sequence: 1, total: [0, 0x10, 0, 1], count: 1), ControlFrame.self) == .badValue("total")
        )
        #expect(
            fault(of: frame(sequence: 1, total: [255, 255, 255, 255], count: 1), ControlFrame.self)
                == .badValue("total")
        )
        #expect(fault(of: frame(sequence: 0, total: mebibyte, count: 1), ControlFrame.self) == .badValue("sequence"))
        #expect(fault(of: frame(sequence: 1, total: mebibyte, count: 0), ControlFrame.self) == .badValue("bytes"))
        #expect(fault(of: frame(sequence: 1, total: [0, 0, 0, 2], count: 3), ControlFrame.self) == .badValue("bytes"))
    }

    @Test("A data frame has 1 byte to 1 MiB, and its header can be written alone")
    func data() throws {
        for count in [1, 2047, 2048, 2049, 65_536, 1 << 20] {
            let frame = ChannelFrame.data([UInt8](repeating: 9, count: count)[...])
            #expect(ChannelFrame.dataHeader(count: count) + [UInt8](repeating: 9, count: count) == frame.encoded)
            #expect(try allFrames(of: frame.encoded) == [frame])
        }
        #expect(fault(of: [0x64, 0, 0, 0], ChannelFrame.self) == .badValue("bytes"))
        #expect(
            fault(of: rawFrame(0x64, Array(repeating: 9, count: (1 << 20) + 1)), ChannelFrame.self)
                == .frameTooLong(length: 1_048_577, limit: 1_048_576)
        )
    }

    @Test("Frames other than data and digests have at most 4 KiB, and only the requested digests are accepted")
    func words() throws {
        #expect(fault(of: [0x65, 0, 0x10, 0x01], ChannelFrame.self) == .frameTooLong(length: 4_097, limit: 4_096))
        let digest: ContentDigest = try Sample.sixteen()
        let many = ChannelFrame.held(.init(byteCount: 1, blockSize: 1, digests: Array(repeating: digest, count: 300)))
        for (limit, isTaken) in [(0, false), (300, true)] {
            var decoder = FrameDecoder<ChannelFrame>()
            decoder.limitHeld(to: limit)
            decoder.append(many.encoded)
            if isTaken {
                #expect(try decoder.next() == many)
            } else {
                #expect(throws: WireError.self) { try decoder.next() }
            }
        }
    }

    @Test("A frame has at most 65,000 digests, and the largest list fits a frame")
    func digests() throws {
        let digest: ContentDigest = try Sample.sixteen()
        let full = ChannelFrame.held(
            .init(byteCount: 1, blockSize: 1, digests: Array(repeating: digest, count: 65_000))
        )
        #expect(try allFrames(of: full.encoded) == [full])
        var beyond = Array(full.encoded[4...]) + digest.bytes
        beyond.replaceSubrange(12..<16, with: [0, 0, 0xFD, 0xE9])
        #expect(fault(of: rawFrame(0x68, beyond), ChannelFrame.self) == .badValue("digests"))
        beyond.replaceSubrange(12..<16, with: [0, 0, 0xFD, 0xE8])
        #expect(fault(of: rawFrame(0x68, Array(beyond.prefix(100))), ChannelFrame.self) == .cutShort)
    }

    @Test("A file has a mode of nine bits and a modification time with less than a second of nanoseconds")
    func stamp() throws {
        let bytes = ControlFrame.resourceOffer(try Sample.fileOffer()).encoded
        func payload(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
            var stamp = Array(bytes.suffix(14))
            change(&stamp)
            return rawFrame(0x41, bytes[4...].dropLast(14) + stamp)
        }
        #expect(fault(of: payload { $0.replaceSubrange(0..<2, with: [0x01, 0xFF]) }, ControlFrame.self) == nil)
        for mode: [UInt8] in [[0x02, 0], [0x04, 0], [0x08, 0], [0xFF, 0xFF]] {
            let hostile = payload { $0.replaceSubrange(0..<2, with: mode) }
            #expect(fault(of: hostile, ControlFrame.self) == .badValue("mode"), "\(mode)")
        }
        for seconds in [Int64.min, -1, 0, .max] {
            let stamp = ResourceStamp(mode: .program, modified: FileTime(seconds: seconds, nanoseconds: 999_999_999))
            let frame = ControlFrame.resourceOffer(try Sample.fileOffer(stamp: stamp))
            #expect(try allFrames(of: frame.encoded) == [frame])
        }
        for nanoseconds: [UInt8] in [[0x3B, 0x9A, 0xCA, 0x00], [0x3F, 0xFF, 0xFF, 0xFE], [0xFF, 0xFF, 0xFF, 0xFF]] {
            let hostile = payload { $0.replaceSubrange(10..<14, with: nanoseconds) }
            #expect(fault(of: hostile, ControlFrame.self) == .badValue("modified"), "\(nanoseconds)")
        }
    }

    @Test("Both sides obey the limits of texts, and a long remark is cut between two code points")
    func texts() throws {
        #expect(Remark(String(repeating: "é", count: 512)).text.utf8.count == 1024)
        #expect(Remark("x" + String(repeating: "é", count: 512)).text.utf8.count == 1023)
        let full = ChannelFrame.abort(.init(reason: .lost, message: Remark(String(repeating: "r", count: 2000))))
        #expect(try allFrames(of: full.encoded) == [full])
        let text = [UInt8](repeating: 0x72, count: 1025)
        #expect(fault(of: rawFrame(0x66, [10, 4, 1] + text), ChannelFrame.self) == .badValue("message"))
        #expect(fault(of: rawFrame(0x66, [10, 0, 2, 0xC3, 0x28]), ChannelFrame.self) == .badValue("message"))
        #expect(fault(of: rawFrame(0x6B, [0, 2, 0x2E, 0x2E]), ChannelFrame.self) == .badValue("name"))
        #expect(fault(of: rawFrame(0x6B, [0, 3, 0x61, 0x2F, 0x62]), ChannelFrame.self) == .badValue("name"))
        #expect(fault(of: rawFrame(0x6D, [0, 1, 0x41, 0, 0]), ChannelFrame.self) == .badValue("code"))
        #expect(FaultCode(String(repeating: "a", count: 64)) != nil)
        #expect(FaultCode(String(repeating: "a", count: 65)) == nil)
        #expect(FaultCode("") == nil)
    }
}
