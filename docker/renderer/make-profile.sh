#!/bin/sh
# Makes the folders lo-profile and lo-profile-recalc in TARGET by converting a document and a workbook once.
# usage: make-profile.sh TARGET
set -eu

target=$1
here=$(dirname "$0")
profile=$target/lo-profile
out=$(mktemp -d)

mkdir -p "$profile/user"
cp "$here/registrymodifications.xcu" "$profile/user/"
export HOME="$out"
soffice --headless "-env:UserInstallation=file://$profile" --convert-to pdf --outdir "$out" \
  "$here/warm-up.fodt" "$here/warm-up.fods" >/dev/null
[ -s "$out/warm-up.pdf" ]
rm -rf "$out" "$profile/.lock" "$profile/user/extensions/tmp"

cp -r "$profile" "$target/lo-profile-recalc"
recalculate() {
  printf '<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="%s" oor:op="fuse"><value>0</value></prop></item>' "$1"
}
sed -i "s|</oor:items>|$(recalculate OOXMLRecalcMode)$(recalculate ODFRecalcMode)</oor:items>|" \
  "$target/lo-profile-recalc/user/registrymodifications.xcu"
grep -q OOXMLRecalcMode "$target/lo-profile-recalc/user/registrymodifications.xcu"
grep -q DisableMacrosExecution "$target/lo-profile-recalc/user/registrymodifications.xcu"
chmod -R a+rX "$target"
