import CommandTable
import SessionRules
import Vocabulary

extension ValueForm where Value == SpeedLimit {
    /// A speed: `5MB` a second, or `none`.
    static var speed: ValueForm {
        let forms = "500KiB, 5MB or none"
        return ValueForm(placeholder: "SPEED", like: forms) { limit in
            limit.text
        } read: { text in
            guard text != EffectiveSettings.nothing else { return SpeedLimit.none }
            let size = try ValueForm<ByteCount>.byteCount.value(of: text)
            guard let limit = SpeedLimit(size) else {
                throw BadValue(
                    text,
                    isNot: "a speed",
                    because: "it is at least \(SpeedLimit.least) a second",
                    nextStep: "write it like \(forms)"
                )
            }
            return limit
        }
    }
}

extension SpeedLimit {
    /// The speed as users write it.
    var text: String { bytesPerSecond.map { "\(ByteCount($0))" } ?? EffectiveSettings.nothing }
}
