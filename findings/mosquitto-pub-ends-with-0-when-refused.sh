#!/bin/sh
# mosquitto_pub ends with 0 although the broker has refused its message.
#
# Version: mosquitto and mosquitto_pub 2.0.11, as Debian 12 has them.
#
# Behaviour: a retained message of 150,000 bytes is sent with QoS 1 to brokers that take 100,000, and to one that forbids the
# topic. None of them keeps it. With MQTT 3.1.1, mosquitto's acknowledgement carries no reason, so only a connection that is
# closed (max_packet_size) shows in the exit status. With MQTT 5 a refusal is a warning, or, where the broker tells its limit
# when the client connects, silence: the client sends nothing. The exit status is 0 each time. Only the acknowledgement that
# --debug prints tells all cases apart, with MQTT 5: codes below 128 are those of messages that are kept.
#
# Output on 2026-11-29 (limit, protocol, exit status, acknowledgement):
#   none                 mqttv311  0  RC:0
#   none                 mqttv5    0  RC:16
#   message_size_limit   mqttv311  0  RC:0
#   message_size_limit   mqttv5    0  RC:149
#   max_packet_size      mqttv311  7  none
#   max_packet_size      mqttv5    0  none
#   acl_file             mqttv311  0  RC:0
#   acl_file             mqttv5    0  RC:135
#
# Ends with 0 while this is so, and with 1 when it has changed. Needs mosquitto, mosquitto_pub, mosquitto_sub, and port 18839.
set -eu
place=$(mktemp -d)
broker=
trap '[ -z "$broker" ] || kill "$broker"; rm -rf "$place"' EXIT
head -c 150000 /dev/zero | tr '\0' x >"$place/message"
echo 'topic read #' >"$place/acl"
chmod 600 "$place/acl"

failed=0
# try LIMIT VALUE: sends the message with both protocols to a broker with this line in its configuration.
try() {
  printf 'listener 18839 127.0.0.1\nallow_anonymous true\n%s\n' "user $(id -un)" >"$place/conf"
  [ "$1" = none ] || echo "$1 $2" >>"$place/conf"
  mosquitto -c "$place/conf" 2>/dev/null &
  broker=$!
  until mosquitto_sub -p 18839 -t x -E 2>/dev/null; do sleep 0.1; done
  for protocol in mqttv311 mqttv5; do
    status=0
    mosquitto_pub -p 18839 -V "$protocol" -q 1 -r -t x -d -f "$place/message" >"$place/said" 2>/dev/null || status=$?
    code=$(sed -n 's/.*PUBACK.*\(RC:[0-9]*\).*/\1/p' "$place/said")
    found=$(printf '%-20s %-9s %s  %s' "$1" "$protocol" "$status" "${code:-none}")
    echo "$found"
    sed -n 's/^#   //p' "$0" | grep -qxF "$found" || { echo "changed"; failed=1; }
  done
  kill "$broker"
  wait "$broker" || :
  broker=
}

try none ''
try message_size_limit 100000
try max_packet_size 100000
try acl_file "$place/acl"
exit $failed
