/// The configuration files of a host's own daemons.
enum DaemonConfiguration {
    /// Debian's system bus with the same rules. Its limits are built into dbus-daemon and not repeated here. A host of
    /// the lab has no other users, log and services, so those parts are left out.
    ///
    /// - Parameters:
    ///   - address: the address at which it listens
    ///   - rules: more policy elements
    static func bus(listeningAt address: String, rules: String = "") -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <auth>EXTERNAL</auth>
          <listen>\(address)</listen>
          <policy context="default">
            <allow user="*"/>
            <deny own="*"/>
            <deny send_type="method_call"/>
            <allow send_type="signal"/>
            <allow send_requested_reply="true" send_type="method_return"/>
            <allow send_requested_reply="true" send_type="error"/>
            <allow receive_type="method_call"/>
            <allow receive_type="method_return"/>
            <allow receive_type="error"/>
            <allow receive_type="signal"/>
            <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
            <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Introspectable"/>
            <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Properties"/>
          </policy>
          <policy user="root">
            <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Monitoring"/>
          </policy>
          <includedir>/usr/share/dbus-1/system.d</includedir>
        \(rules)
        </busconfig>

        """
    }

    /// Debian's original settings, without changes of this machine's owner.
    static let avahi = avahi()

    /// Settings for programs that find each other on one machine. They send nothing to its network.
    static let avahiOnLoopback = avahi("allow-interfaces=lo")

    private static func avahi(_ more: String = "") -> String {
        """
        [server]
        \(more)
        use-ipv4=yes
        use-ipv6=yes
        ratelimit-interval-usec=1000000
        ratelimit-burst=1000
        [wide-area]
        enable-wide-area=yes
        [publish]
        publish-hinfo=no
        publish-workstation=no

        """
    }
}
