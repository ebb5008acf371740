/** An independent check of plans. It shares no code with the planners. */
package dev.stowage.core.plan.check;
