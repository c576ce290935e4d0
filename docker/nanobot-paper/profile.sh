# What every other harness's commands have from the container; /etc/profile gives plain users less.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export USER=agent PYTHONDONTWRITEBYTECODE=1
