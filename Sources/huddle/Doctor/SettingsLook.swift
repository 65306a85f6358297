import CommandTable
import Diagnosis
import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// The daemon's settings from its file and the environment. If those have a fault, the defaults.
struct SettingsLook: Sendable {
    let value: DaemonConfiguration
    let facts: SettingsFacts

    init(_ given: GivenValues, in places: OwnPlaces) {
        let path = places.configuration
        do {
            value = try DaemonSettings(huddledFromHere: given).configuration
            facts = SettingsFacts(path: path, trouble: nil)
        } catch let fault as ConfigurationFault {
            value = DaemonConfiguration()
            facts = SettingsFacts(path: path, trouble: fault.message)
        } catch let error as UsageError {
            // A variable of the environment has the fault, and not the file.
            value = DaemonConfiguration()
            facts = SettingsFacts(path: nil, trouble: error.message)
        } catch {
            value = DaemonConfiguration()
            // The file may be missing only if the user has not named it.
            let isMissing = (error as? SystemError)?.number == ENOENT && places.places.namedConfiguration == nil
            facts = SettingsFacts(path: path, trouble: isMissing ? nil : "\(error)")
        }
    }
}
