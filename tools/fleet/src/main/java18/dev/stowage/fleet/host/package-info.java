/** The name of this host. */
@NullMarked
package dev.stowage.fleet.host;

import org.jspecify.annotations.NullMarked;
