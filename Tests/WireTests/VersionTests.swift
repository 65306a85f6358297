import Testing
import Vocabulary
import Wire

@Suite("Wire version", .timeLimit(.minutes(5)))
struct VersionTests {
    @Test("The decoder skips every unknown type from 0x80 on, large and small, and reads the next frame")
    func skipped() throws {
        for type in UInt8(0x80)...0xFF {
            for count in [0, 1, 5000, 65_536] {
                let bytes = rawFrame(type, [UInt8](repeating: 3, count: count)) + ControlFrame.ping(2).encoded
                #expect(try allFrames(of: bytes) == [ControlFrame.ping(2)])
            }
        }
        var decoder = FrameDecoder<ChannelFrame>()
        decoder.append(rawFrame(0x90, [UInt8](repeating: 3, count: 1 << 20)).dropLast())
        #expect(decoder.heldByteCount == 0, "what is skipped is not held")
    }

    @Test("Another unknown type is a breach by an equal peer, and a wrong version of a newer peer")
    func unknown() {
        for type in UInt8(0)..<0x80 where !ControlFrame.isKnown(type) {
            let bytes = rawFrame(type, [])
            #expect(error(of: bytes, ControlFrame.self)?.partingReason == .brokeProtocol)
            let newer = error(of: bytes, ControlFrame.self, peerMinor: WireVersion.minor + 1)
            #expect(newer?.fault == .unknownFrame)
            #expect(newer?.partingReason == .wrongVersion)
            #expect(newer?.nextStep.contains("update Huddle on this machine") == true)
        }
        #expect(error(of: ChannelFrame.ready.encoded, ControlFrame.self)?.fault == .unknownFrame)
        #expect(error(of: ControlFrame.ping(1).encoded, ChannelFrame.self)?.fault == .unknownFrame)
    }

    @Test("The decoder takes the version from Hello, and skips the additions in Hello itself")
    func hello() throws {
        let hello = ControlFrame.hello(try Sample.hello(minor: 3))
        let grown = rawFrame(0x01, hello.encoded[4...] + [1, 2, 3])
        var decoder = FrameDecoder<ControlFrame>()
        decoder.append(
            grown + rawFrame(0x32, Sample.session.bytes + [UInt8](repeating: 0, count: 12)) + [0x7E, 0, 0, 0]
        )
        #expect(try decoder.next() == hello)
        #expect(decoder.peerMinor == 3)
        #expect(try decoder.next() == .messageAck(.init(session: Sample.session, consumed: 0)))
        #expect(throws: WireError.self) { try decoder.next() }
    }

    @Test("A newer peer may give an unknown reason")
    func reasons() throws {
        let bytes = rawFrame(0x02, [200])
        #expect(fault(of: bytes, ControlFrame.self) == .badValue("reason"))
        #expect(try allFrames(of: bytes, peerMinor: WireVersion.minor + 1) == [ControlFrame.bye(.left)])
        let answer = rawFrame(0x15, Sample.invitation.bytes + [200])
        let declined = ControlFrame.inviteAnswer(.init(invitation: Sample.invitation, verdict: .refused(.declined)))
        #expect(try allFrames(of: answer, peerMinor: WireVersion.minor + 1) == [declined])
        for reason in PartingReason.allCases where reason.isSaid {
            #expect(try allFrames(of: rawFrame(0x02, [reason.rawValue])) == [ControlFrame.bye(reason)])
        }
        for minor in UInt16(0)...WireVersion.minor + 1 {
            for never in [0, PartingReason.blocked.rawValue, PartingReason.forgotten.rawValue] {
                #expect(fault(of: rawFrame(0x02, [never]), ControlFrame.self, peerMinor: minor) == .badValue("reason"))
            }
        }
    }

    @Test("Every offer of a file has its mode and time")
    func stamp() throws {
        let (whole, bare) = (try Sample.fileOffer(), try Sample.fileOffer(stamp: nil))
        let read: [ControlFrame] = try allFrames(of: ControlFrame.resourceOffer(whole).encoded)
        #expect(read == [.resourceOffer(whole)])
        #expect(fault(of: ControlFrame.resourceOffer(bare).encoded, ControlFrame.self) == .cutShort)
    }

    @Test("Two peers share the lower version")
    func common() {
        #expect(WireVersion.common(with: 7) == WireVersion.minor)
        #expect(WireVersion.isNewer(WireVersion.minor + 1))
        #expect(!WireVersion.isNewer(WireVersion.minor))
        #expect(WireVersion.protocolName == "huddle/2")
    }

    @Test("Each fault has a readable message")
    func words() throws {
        let error = try Sample.required(WireTests.error(of: rawFrame(0x02, [0]), ControlFrame.self))
        #expect(error.code.description == "wire.bad-value")
        let explanation = "its field “reason” has a value that is not allowed"
        #expect(error.message == "the peer broke the protocol: frame 0x02: \(explanation)")
        #expect(error.nextStep.hasPrefix("install the same version"))
    }
}
