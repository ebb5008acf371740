/** Worker processes: each runs the items of one task, and is replaced if an item ends it. */
@NullMarked
package dev.stowage.fleet.worker;

import org.jspecify.annotations.NullMarked;
