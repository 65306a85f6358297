public import SecureArchive
import Vocabulary

extension ArchiveError {
    /// Whether nothing of somebody else's text got into it that a terminal would obey.
    public var isFitToPrint: Bool {
        "\(path)\(detail)".unicodeScalars.allSatisfy { scalar in
            // Joiners and the faces of emoji may stand behind what they shape.
            PrintableText.isHarmless(scalar) || scalar.properties.generalCategory == .format
                || scalar.properties.isVariationSelector
        }
    }
}
