# The environment of all processes that ./mvnw and ./stowage start; both source this file. It prints an error and exits
# if the machine lacks a program or a JDK.

for program in uname readlink sed find; do
  command -v "$program" >/dev/null || {
    echo "Stowage needs the program '$program', which is not on the PATH: install coreutils, sed and findutils." >&2
    exit 1
  }
done

# Java reserves addresses for a heap of a quarter of the memory, classes and code. With less than this, it ends with an error
# of its own or crashes.
wanted_kib=6291456
limit_kib=$(ulimit -v 2>/dev/null) || limit_kib=unlimited
[ "$limit_kib" = unlimited ] || [ "$limit_kib" -ge "$wanted_kib" ] || {
  echo "Stowage: the limit of virtual memory is $limit_kib KiB, expected at least $wanted_kib: run ulimit -v $wanted_kib" >&2
  exit 1
}

# The JVM cannot open files with names that are not ASCII if the locale is C, or a locale that is not installed. The JVM
# of macOS always can. LANGUAGE would still translate messages.
[ "$(uname)" = Darwin ] || export LC_ALL=C.UTF-8
unset LANGUAGE

# ONNX Runtime reports the use of models to its vendor, unless this variable is set before it is loaded.
export ORT_DISABLE_TELEMETRY=1

# The rest sets JAVA_HOME to a JDK of this release or newer. It searches JAVA_HOME, the java on the PATH and the usual
# folders, in this order, and prefers this release to newer ones. It reads the version from the file `release` of a JDK,
# without starting a JVM.
jdk_wanted=25

# Prints the feature release of the JDK in folder $1, or nothing if it has no JDK.
jdk_release() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9][0-9]*\).*/\1/p' "$1/release"
}

# Prints the folder of the java on the PATH, with links resolved.
jdk_on_path() {
  jdk_java=$(command -v java 2>/dev/null) || return 0
  while [ -L "$jdk_java" ]; do
    jdk_link=$(readlink "$jdk_java")
    case $jdk_link in
      /*) jdk_java=$jdk_link ;;
      *) jdk_java=${jdk_java%/*}/$jdk_link ;;
    esac
  done
  printf '%s\n' "${jdk_java%/bin/java}"
}

jdk_find() {
  jdk_newer=
  for jdk_home in "${JAVA_HOME-}" "$(jdk_on_path)" \
    /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* /opt/*/jdk* /usr/local/*jdk* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/* "${HOME-}"/.local/share/mise/installs/java/* \
    "${HOME-}"/.asdf/installs/java/*; do
    jdk_version=$(jdk_release "$jdk_home")
    [ -n "$jdk_version" ] || continue
    if [ "$jdk_version" -eq "$jdk_wanted" ]; then
      JAVA_HOME=$jdk_home
      return 0
    fi
    [ "$jdk_version" -gt "$jdk_wanted" ] && [ -z "$jdk_newer" ] && jdk_newer=$jdk_home
  done
  [ -n "$jdk_newer" ] && JAVA_HOME=$jdk_newer
}

if ! jdk_find; then
  echo "Stowage needs a JDK $jdk_wanted or newer and found none: install one (https://adoptium.net) or set JAVA_HOME to its folder." >&2
  exit 1
fi
export JAVA_HOME
