#!/usr/bin/env bash
# Runs Ceph's S3 service on a cluster of one monitor and one store in memory, until it is killed. SIGUSR1 stops the service alone,
# SIGUSR2 starts it again.
# radosgw.sh <directory> <S3 port> <monitor port> <monitor port>; prints "ready" once the user exists and S3 responds.
set -euo pipefail
dir=$1
port=$2
cd "$dir"
fsid=$(cat /proc/sys/kernel/random/uuid)
osd=$(cat /proc/sys/kernel/random/uuid)
monitors="[v2:127.0.0.1:$3,v1:127.0.0.1:$4]"
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT

cat > ceph.conf <<CONF
[global]
fsid = $fsid
mon host = $monitors
public addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = $dir/admin.keyring
run dir = $dir
admin socket =
log file = $dir/\$name.log
mon cluster log file = $dir/cluster.log
mon data = $dir/mon
mon allow pool size one = true
osd data = $dir/osd
osd journal = $dir/osd/journal
osd objectstore = memstore
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd crush chooseleaf type = 0
[osd.0]
keyring = $dir/osd/keyring
CONF
export CEPH_CONF=$dir/ceph.conf

mkdir mon osd
{
  ceph-authtool --create-keyring mon.keyring --gen-key -n mon. --cap mon 'allow *'
  ceph-authtool --create-keyring admin.keyring --gen-key -n client.admin \
    --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
  ceph-authtool mon.keyring --import-keyring admin.keyring
  ceph-authtool --create-keyring osd/keyring --gen-key -n osd.0
  monmaptool --create --addv a "$monitors" --fsid "$fsid" monmap
  ceph-mon --mkfs -i a --monmap monmap --keyring mon.keyring
} > set-up.log 2>&1
ceph-mon -i a -f > mon.log 2>&1 &
{
  ceph osd new "$osd"
  ceph auth add osd.0 osd 'allow *' mon 'allow profile osd' -i osd/keyring
  ceph-osd -i 0 --mkfs --osd-uuid "$osd"
} >> set-up.log 2>&1
ceph-osd -i 0 -f > osd.log 2>&1 &
start_service() {
  radosgw -f -n client.admin --rgw-frontends="beast endpoint=127.0.0.1:$port" >> radosgw.log 2>&1 &
  service=$!
}
start_service
trap 'kill -9 "$service"' USR1
trap start_service USR2
trap 'exit 0' TERM
radosgw-admin user create --uid=test --display-name=test --access-key=TESTKEY --secret='a secret/with+signs' >> set-up.log 2>&1
until curl -s "http://127.0.0.1:$port" > /dev/null; do sleep 0.1; done
echo ready
while true; do
  # A signal ends it, too.
  wait || true
  sleep 0.1
done
